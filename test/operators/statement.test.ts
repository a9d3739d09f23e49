/** The statement of an account: its credits, and what its usage costs at the prices of a month. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { query } from '../support/database.ts'
import { linesOf, useOperators } from '../support/operators.ts'
import { COMPUTED, refused, times } from '../support/people.ts'
import { startTestService, type TestService } from '../support/service.ts'

const DAY_MS = 86_400_000
const { act, done, quantd, service } = await useOperators()

const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7)
const now = new Date()
const [FIRST, SECOND, THIRD] = [0, 1, 2].map((more) =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more),
)
const month = monthOf(SECOND!)
const setPrice = async (price: object | null) =>
  done('plan/set', { version: (await done('plan')).version, price })

describe('the statement of an account', () => {
  let email = ''
  let key = ''
  let team = { id: 0, key: '' }
  const statement = (of = month) => done(`reports/statement?account=${email}&month=${of}`)

  before(async () => {
    ;({ email, key } = await service.person())
    await times(2, () => service.compute(key))
    // The second day of the next month, at ten.
    service.advance(SECOND! + 34 * 3_600_000 - Date.now())
    await setPrice({ amount: '0.002', currency: 'EUR' })
    await done('grants', { account: email, credits: 5_000, reference: 'invoice-1' })
    team = (await service.call('/user/keys/create', { key, body: { name: 'desk' } })).body.data
    await times(3, () => service.compute(key))
    service.newDay()
    await times(4, () => service.compute(key))
    await service.compute(team.key)
    await service.call(COMPUTED, { key, body: { wealth: -1 } })
    await setPrice({ amount: '0.0035', currency: 'EUR' })
    await service.compute(key)
    service.newDay()
    await times(2, () => service.compute(key))
    await done('grants/reverse', { reference: 'invoice-1', credits: 1_000, reversal_reference: 'refund-1' })
  })

  it('begins with the credits of the month before and ends with those that are left', async () => {
    const { closing, movements, opening, totals } = await statement()
    assert.equal(opening, 348)
    assert.equal(closing, 348 + 5_000 - 1_000 - 3 - 5 - 1 - 2)
    assert.equal(closing, (await service.dataOf(key, '/user/credits')).credits)
    assert.deepEqual(
      movements.map(({ credits, kind, reference }: Record<string, unknown>) => [kind, credits, reference]),
      [
        ['grant', 5_000, 'invoice-1'],
        ['reversal', -1_000, 'refund-1'],
      ],
    )
    const { amounts, ...counts } = totals
    assert.deepEqual(counts, { calls: 12, credits: 11, refunded: 0, failed_requests: 1 })
    const earlier = await statement(monthOf(FIRST!))
    assert.deepEqual([earlier.opening, earlier.closing, earlier.totals.credits], [0, 348, 2])
  })

  it('prices usage from the midnight after a price was set, each period by itself', async () => {
    const { totals, usage } = await statement()
    const day = (of: number) => `${month}-0${of}`
    const last = new Date(THIRD! - 1).toISOString().slice(0, 10)
    assert.deepEqual(
      usage.map(({ amount, calls, credits, from, key_name, price, until }: Record<string, unknown>) => [
        ...[from, until, key_name, calls, credits, price, amount],
      ]),
      [
        [day(1), day(2), null, 3, 3, null, null],
        [day(3), day(3), null, 6, 5, '0.002', '0.01'],
        [day(3), day(3), 'desk', 1, 1, '0.002', '0.002'],
        [day(4), last, null, 2, 2, '0.0035', '0.007'],
      ],
    )
    assert.deepEqual(totals.amounts, [{ currency: 'EUR', amount: '0.02' }])
  })

  it('is a table, by command too, of which the credits add up', async () => {
    const table = await act(`reports/statement?account=${email}&month=${month}&format=csv`)
    assert.equal(table.headers.get('content-type'), 'text/csv; charset=utf-8')
    const credits = new Map<string, number>()
    for (const line of linesOf(table.text))
      credits.set(line.line!, (credits.get(line.line!) ?? 0) + Number(line.credits))
    const sum = ['opening', 'grant', 'reversal', 'usage'].reduce(
      (total, kind) => total + credits.get(kind)!,
      0,
    )
    assert.equal(sum, credits.get('closing'))
    const command = await quantd(['admin', 'statement', email, '--month', month])
    assert.equal(command.out.trimEnd(), table.text.trimEnd())
    const json = await quantd(['admin', 'statement', email, '--month', month, '--json'])
    assert.deepEqual(json.json, await statement())
  })

  it('of a month that is over stays the same', async () => {
    const before = await statement()
    service.advance(40 * 86_400_000)
    await service.compute(key)
    await done('grants', { account: email, credits: 70, reference: 'invoice-2' })
    assert.deepEqual(await statement(), before)
  })

  it('is refused for no account, no month, and a price that is none', async () => {
    for (const question of [`account=${email}&month=2026-13`, `account=${email}`, `month=${month}`])
      refused(await act(`reports/statement?${question}`), 422, 'invalid_input')
    refused(await act(`reports/statement?account=nobody@example.org&month=${month}`), 404, 'not_found')
    const { version } = await done('plan')
    for (const price of [
      { amount: '0.002' },
      { amount: '1e3', currency: 'EUR' },
      { amount: '0.0000001', currency: 'EUR' },
      { amount: '1', currency: 'euro' },
      0.002,
    ])
      refused(await act('plan/set', { version, price }), 422, 'invalid_input')
    assert.equal((await quantd(['admin', 'plan', 'set', '--price', '0.002'])).code, 2)
    assert.equal((await quantd(['admin', 'plan', 'set', '--price', 'USD=0.01'])).code, 0)
    assert.deepEqual((await done('plan')).price, { amount: '0.01', currency: 'USD' })
    assert.match((await quantd(['admin', 'plan', 'show'])).out, /\* price +0\.01 USD a credit/)
    assert.equal((await quantd(['admin', 'plan', 'set', '--price', 'default'])).code, 0)
    assert.equal((await done('plan')).price, null)
  })
})

describe('the statement of a month in which prices change while nodes compute', () => {
  const nodes: TestService[] = [service]
  /** The midnights from which a price holds; its amount is in millionths. */
  const prices: { from: number; amount: number; currency: string | null }[] = []
  let email = ''
  /** The account's own key and a team key. */
  let keys: string[] = []
  let named = ''
  let midnight = 0

  const newDay = () => {
    for (const node of nodes) midnight = node.newDay()
  }
  /** Changes something while five clients with each key call each node, twice each. */
  async function amidCalls(change: () => unknown): Promise<void> {
    const call = async (node: TestService, key: string) =>
      assert.equal((await node.call(COMPUTED, { key, body: { wealth: 2 } })).status, 200)
    const clients = nodes.flatMap((node) =>
      keys.flatMap((key) =>
        Array.from({ length: 5 }, () => {
          const first = call(node, key)
          return { first, both: first.then(() => call(node, key)) }
        }),
      ),
    )
    await Promise.race(clients.map(({ first }) => first))
    await change()
    await Promise.all(clients.map(({ both }) => both))
  }
  const priceTonight = async (amount: string | null, currency: string | null = null) => {
    await setPrice(amount === null ? null : { amount, currency })
    prices.push({ from: midnight + DAY_MS, amount: Number(amount) * 1e6, currency })
  }

  before(async () => {
    if (service.databaseUrl !== null)
      nodes.push(await startTestService({ DATABASE_URL: service.databaseUrl }))
    const person = await service.person()
    email = person.email
    const team = await service.call('/user/keys/create', { key: person.key, body: { name: 'desk' } })
    keys = [person.key, team.body.data.key]
    await done('grants', { account: email, credits: 5_000, reference: 'invoice-3' })
    do midnight = service.newDay()
    while (new Date(midnight).getUTCDate() > 1)
    nodes[1]?.advance(midnight + 1_000 - Date.now())
    named = monthOf(midnight)
    await amidCalls(() => priceTonight('0.001234', 'EUR'))
    await amidCalls(newDay)
    await amidCalls(() => priceTonight('0.05', 'USD'))
    await amidCalls(() => priceTonight('0.0035', 'EUR'))
    await amidCalls(newDay)
    await amidCalls(() => priceTonight('0.2', 'USD'))
    newDay()
    await amidCalls(() => priceTonight(null))
    await amidCalls(newDay)
    await amidCalls(() => undefined)
  })
  after(() => nodes[1]?.close())

  /** What the audit says, each call at the price that held at the midnight before it. */
  async function byHand() {
    const of = (sql: string) => query(service, sql)
    const [account] = await of(`SELECT id FROM accounts WHERE email = '${email}'`)
    const isOwn = `account_id = ${account?.id}`
    const teamKeys = await of(`SELECT id, name FROM team_keys WHERE ${isOwn}`)
    const apiKeys = await of(`SELECT id, team_key_id FROM api_keys WHERE ${isOwn}`)
    const nameOf = (key: unknown) => {
      const teamKey = apiKeys.find(({ id }) => String(id) === String(key))?.team_key_id
      return teamKeys.find(({ id }) => String(id) === String(teamKey))?.name ?? ''
    }
    const rows = await of(`SELECT at, credits, key_id FROM audit WHERE ${isOwn} AND path = '${COMPUTED}'`)
    const calls = rows.map(({ at, credits, key_id }) => {
      const day = Math.floor(Number(at) / DAY_MS) * DAY_MS
      const price = prices.findLast(({ from }) => from <= day)
      return { key: nameOf(key_id), price, credits: Number(credits) }
    })
    const lines = Map.groupBy(calls, ({ key, price }) => JSON.stringify([price?.from, key]))
    const owed = new Map<string, number>()
    const usage = [...lines.values()].map((of) => {
      const [{ key, price }] = of as [(typeof of)[0]]
      const credits = of.reduce((sum, call) => sum + call.credits, 0)
      if (!price?.currency) return [of.length, credits, key, '', '']
      const amount = credits * price.amount
      owed.set(price.currency, (owed.get(price.currency) ?? 0) + amount)
      return [of.length, credits, key, String(amount / 1e6), price.currency]
    })
    return { usage, owed: [...owed].map(([currency, amount]) => [currency, (amount / 1e6).toFixed(2)]) }
  }

  it('has the amounts of each price, as the audit gives them', async () => {
    const { owed, usage } = await byHand()
    const { totals, ...found } = await done(`reports/statement?account=${email}&month=${named}`)
    const lines = found.usage.map(
      ({ amount, calls, credits, currency, key_name }: Record<string, unknown>) => [
        ...[calls, credits, key_name ?? '', amount ?? '', currency ?? ''],
      ],
    )
    assert.deepEqual(lines.toSorted(), usage.toSorted())
    assert.deepEqual(
      totals.amounts.map(({ amount, currency }: Record<string, string>) => [currency, amount]).toSorted(),
      owed.toSorted(),
    )
    assert.equal(totals.calls, 9 * 20 * nodes.length)
    assert.equal(
      lines.length,
      10,
      'each key has calls at three prices, and without one before and after them',
    )
  })

  it('has the same amounts as a table', async () => {
    const { owed, usage } = await byHand()
    const table = await act(`reports/statement?account=${email}&month=${named}&format=csv`)
    const lines = linesOf(table.text)
    assert.deepEqual(
      lines
        .filter(({ line }) => line === 'usage')
        .map((line) => [Number(line.calls), -Number(line.credits), line.key_name, line.amount, line.currency])
        .toSorted(),
      usage.toSorted(),
    )
    assert.deepEqual(
      lines
        .filter(({ line }) => line === 'amount')
        .map(({ amount, currency }) => [currency, amount])
        .toSorted(),
      owed.toSorted(),
    )
  })
})
