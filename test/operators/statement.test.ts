/** The statement of an account: its credits, and what its usage costs at the prices of a month. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { useOperators } from '../support/operators.ts'
import { refused, times } from '../support/people.ts'

const LOG = '/quantlib/economics/utility/log'
const { act, done, quantd, service } = await useOperators()

const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7)
const now = new Date()
const [FIRST, SECOND, THIRD] = [0, 1, 2].map((more) =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more),
)
const month = monthOf(SECOND!)
const setPrice = async (price: object | null) =>
  done('plan/set', { version: (await done('plan')).version, price })
const compute = (key: string) => service.call(LOG, { key, body: { wealth: 2 } })

describe('the statement of an account', () => {
  let email = ''
  let key = ''
  let team = { id: 0, key: '' }
  const statement = (of = month) => done(`reports/statement?account=${email}&month=${of}`)

  before(async () => {
    ;({ email, key } = await service.person())
    await times(2, () => compute(key))
    // The second day of the next month, at ten.
    service.advance(SECOND! + 34 * 3_600_000 - Date.now())
    await setPrice({ amount: '0.002', currency: 'EUR' })
    await done('grants', { account: email, credits: 5_000, reference: 'invoice-1' })
    team = (await service.call('/user/keys/create', { key, body: { name: 'desk' } })).body.data
    await times(3, () => compute(key))
    service.newDay()
    await times(4, () => compute(key))
    await compute(team.key)
    await service.call(LOG, { key, body: { wealth: -1 } })
    await setPrice({ amount: '0.0035', currency: 'EUR' })
    await compute(key)
    service.newDay()
    await times(2, () => compute(key))
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
    const [head, ...lines] = table.text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const column = (name: string) => head!.indexOf(name)
    const credits = new Map<string, number>()
    for (const line of lines) {
      const kind = line[column('line')]
      credits.set(kind, (credits.get(kind) ?? 0) + Number(line[column('credits')]))
    }
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
    await compute(key)
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
