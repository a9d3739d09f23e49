/** Credits that expire while calls run, and grants that are sent many times by processes that are killed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { number } from '../support/database.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { COMPUTED, count, HOUR_MS, times, useService } from '../support/people.ts'
import { random } from '../support/random.ts'
import { type Answer, definite } from '../support/service.ts'
import { until } from '../support/until.ts'

const service = await useService()
const quantd = operator(settingsOf(service))

const agrees = async () => assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)

async function account(email: string): Promise<{ id: number; key: string }> {
  const { json } = await quantd([...['admin', 'create', email, '--credits', '0', '--tier', 'pro'], '--json'])
  return { id: json.account_id, key: json.api_key }
}

describe('lots that expire amid 1,000 calls', () => {
  it('leave balance, debits and expired credits exact to the credit', async () => {
    const { id, key } = await account('expiring@example.org')
    const now = await service.store.run((sql) => sql.clock())
    for (const [index, credits] of [400, 500, 600, 2_000].entries()) {
      const end = new Date(now + (index + 1) * HOUR_MS).toISOString()
      const grant = ['grant', 'expiring@example.org', String(credits), '--expires', end]
      assert.equal((await quantd(['admin', ...grant, '--reference', `lot ${index}`])).code, 0)
    }
    const answers: Answer[] = []
    let sent = 0
    await times(50, async () => {
      while (sent < 1_000) {
        sent += 1
        // The first three lots end while calls run.
        if (sent === 150 || sent === 500 || sent === 800) service.advance(HOUR_MS)
        answers.push(await definite(() => service.call(COMPUTED, { key, body: { wealth: 2 } })))
      }
    })
    const spent = count(answers, 200)
    assert.equal(spent + count(answers, 402), 1_000)
    const sum = (kind: string) =>
      number(
        service,
        `SELECT coalesce(sum(amount), 0) FROM ledger WHERE account_id = ${id} AND kind = '${kind}'`,
      )
    const balance = () => number(service, `SELECT balance FROM accounts WHERE id = ${id}`)
    const expired = -(await sum('expired'))
    const ends = `SELECT count(*) FROM ledger WHERE account_id = ${id} AND kind = 'expired'`
    assert.equal(await number(service, ends), 3)
    // A call that was debited and answered 503 is refunded soon after; a refund belongs to no lot.
    await until(async () => (await balance()) === 3_500 - spent - expired, 'the balance is exact')
    const inLots = await number(service, `SELECT sum(remaining) FROM lots WHERE account_id = ${id}`)
    assert.equal(inLots, (await balance()) - (await sum('refund')))
    await agrees()
  })
})

const SENDER = `
const [, session, credits, settings, orders, most] = process.argv
const { inSession } = await import(session)
const { grantCredits } = await import(credits)
const terminal = { program: 'quantd', environment: JSON.parse(settings), tell: () => undefined }
const store = await new Promise((open) => inSession(terminal, {}, async ({ store }) => {
  open(store)
  await new Promise(() => undefined)
}))
let left = Number(most)
const act = { ip: 'cli', requestId: 'r', method: 'CLI', path: 'grant', actor: 'sender' }
for (const [accountId, credits, reference] of JSON.parse(orders)) {
  const event = { ...act, auditId: crypto.randomUUID() }
  const send = () => store.run(grantCredits, { accountId, credits, reference, note: 'n', expiresAt: null, event })
  // A busy machine may lose a connection, after which anybody sends again.
  await send().catch(send)
  process.stdout.write('.')
  // It is killed soon.
  if (--left === 0) await new Promise(() => setInterval(() => undefined, 60_000))
}
process.exit(0)
`
const ROOMS = ['../../src/app/cli/admin/database-session.ts', '../../src/operators/grants.ts']
/** A killed sender sends so many more at most, however late the signal comes. */
const MORE = 30
/** Orders of each sender: 257 of the 300 are for one payment, so that this has more than 1,000. */
const ORDERS = 300

describe('1,028 orders of one grant and 172 of three others, shuffled, from processes that are killed', () => {
  it('are four grants', async () => {
    const emails = ['twice-1@example.org', 'twice-2@example.org']
    const ids: number[] = []
    for (const email of emails) ids.push((await account(email)).id)
    const senders = Array.from({ length: 4 }, (_, sender) => {
      const draw = random(sender)
      const orders = Array.from({ length: ORDERS }, (_, i) => ({
        order: [ids[i % 5 === 0 ? 1 : 0], 40, i % 7 === 3 ? `other ${i % 3}` : 'payment'],
        place: draw(),
      })).sort((a, b) => a.place - b.place)
      const rooms = ROOMS.map((room) => new URL(room, import.meta.url).href)
      const settings = JSON.stringify(settingsOf(service))
      return [
        '--input-type=module',
        '-e',
        SENDER,
        ...rooms,
        settings,
        JSON.stringify(orders.map(({ order }) => order)),
      ]
    })
    const run = async (args: readonly string[], killAfter: number | null) => {
      const most = killAfter === null ? ORDERS + 1 : killAfter + MORE
      const child = spawn(process.execPath, [...args, String(most)], { stdio: ['ignore', 'pipe', 'inherit'] })
      let sent = 0
      child.stdout.on('data', (dots: Buffer) => {
        sent += dots.length
        if (killAfter !== null && sent >= killAfter) child.kill('SIGKILL')
      })
      const [code] = await once(child, 'exit')
      return code
    }
    const killed = await Promise.all(senders.map((args, index) => run(args, 30 + 70 * index)))
    assert.deepEqual(killed, [null, null, null, null])
    assert.deepEqual(await Promise.all(senders.map((args) => run(args, null))), [0, 0, 0, 0])
    for (const reference of ['payment', 'other 0', 'other 1', 'other 2'])
      assert.equal(await number(service, `SELECT count(*) FROM ledger WHERE reference = '${reference}'`), 1)
    const held = await number(service, `SELECT sum(balance) FROM accounts WHERE id IN (${ids})`)
    assert.equal(held, 160)
    await agrees()
  })
})
