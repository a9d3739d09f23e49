/** The statements for lots: calls of accounts without lots have none, and lots that end together are booked by few. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import pg from 'pg'
import { expireLots } from '../../src/app/main/clean-up.ts'
import { number, query } from '../support/database.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { COMPUTED, useService } from '../support/people.ts'

/** The texts of all statements that are executed; restored at the end. */
const executed: string[] = []
/** The driver's messages: a text of its own, or a text that gets a name and is executed each time that values are bound to it. */
const messages = pg.Connection.prototype
const { bind, parse, query: send } = messages
const texts = new Map<string, string>()
messages.query = function (text) {
  executed.push(text)
  Reflect.apply(send, this, [text])
}
messages.parse = function (statement, ...more) {
  texts.set(statement.name ?? '', statement.text)
  Reflect.apply(parse, this, [statement, ...more])
}
messages.bind = function (values, ...more) {
  executed.push(texts.get(values?.statement ?? '') ?? '')
  Reflect.apply(bind, this, [values, ...more])
}
const { prepare } = Database.prototype
Database.prototype.prepare = function (this: Database.Database, text: string) {
  const statement = Reflect.apply(prepare, this, [text])
  for (const name of ['run', 'get', 'all'] as const) {
    const run = statement[name]
    statement[name] = ((...args: unknown[]) => {
      executed.push(text)
      return Reflect.apply(run, statement, args)
    }) as never
  }
  return statement
} as typeof prepare

const service = await useService()
const quantd = operator(settingsOf(service))
after(async () => {
  Object.assign(messages, { bind, parse, query: send })
  Database.prototype.prepare = prepare
})

const CALLS = 20

/** The statements of calls one after another, and those of them that name the table of lots, or on Citus a shard of it. */
async function statementsOf(key: string): Promise<{ all: number; lots: number }> {
  executed.length = 0
  for (let n = 0; n < CALLS; n++)
    assert.equal((await service.call(COMPUTED, { key, body: { wealth: 2 } })).status, 200)
  const ofCalls = executed.filter((text) => /\b(accounts|lots|audit|ledger)(_\d+)?\b/.test(text))
  return { all: ofCalls.length, lots: ofCalls.filter((text) => /\blots(_\d+)?\b/.test(text)).length }
}

describe('a call', () => {
  it('of an account without lots reads and writes none; of one with lots it does', async (t) => {
    const account = async (email: string): Promise<string> =>
      (await quantd(['admin', 'create', email, '--json'])).json.api_key
    const [plain, holder] = [await account('plain@example.org'), await account('holder@example.org')]
    const end = new Date(Date.now() + 3_600_000).toISOString()
    const grant = ['admin', 'grant', 'holder@example.org', '100', '--reference', 'lot', '--expires', end]
    assert.equal((await quantd(grant)).code, 0)
    const [without, withLots] = [await statementsOf(plain), await statementsOf(holder)]
    t.diagnostic(`${CALLS} calls without lots: ${JSON.stringify(without)}, with: ${JSON.stringify(withLots)}`)
    assert.equal(without.lots, 0)
    assert.ok(without.all >= CALLS)
    assert.ok(withLots.lots >= 2 * CALLS)
  })
})

describe('the clean-up', () => {
  it('books 1,000 lots that end together by few statements, so that their account is not locked for long', async () => {
    const email = 'thousand@example.org'
    const { json } = await quantd(['admin', 'create', email, '--credits', '0', '--json'])
    const id = json.account_id
    await quantd(['admin', 'grant', email, '2000'])
    const ended = Date.now() - 1_000
    await query(
      service,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO lots (account_id, granted, remaining, expires_at) SELECT ${id}, 2, 2, ${ended} FROM n`,
    )
    await query(service, `UPDATE accounts SET lots_expire_at = ${ended} WHERE id = ${id}`)
    executed.length = 0
    while ((await number(service, `SELECT balance FROM accounts WHERE id = ${id}`)) > 0)
      await service.store.run(expireLots)
    const booking = executed.filter((text) => /\b(ledger|lots|webhook_events)\b/.test(text))
    assert.ok(booking.length < 20, `${booking.length} statements`)
    const [sums] = await query(
      service,
      `SELECT cast(count(*) AS integer) AS movements, cast(sum(amount) AS integer) AS credits
       FROM ledger WHERE kind = 'expired' AND account_id = ${id}`,
    )
    assert.deepEqual({ ...sums }, { movements: 1_000, credits: -2_000 })
    const events = `SELECT count(*) FROM webhook_events WHERE type = 'grant.expired' AND account_id = ${id}`
    assert.equal(await number(service, events), 1_000)
    assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
  })
})
