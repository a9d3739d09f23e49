/** Guests and audit rows expire; the tests move the clock. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { tidy } from '../../src/main/tidy.ts'
import { number, query } from '../support/database.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { startTestService } from '../support/service.ts'

const PATH = '/quantlib/economics/utility/log'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const service = await startTestService()
after(() => service.close())

const compute = (key: string) => service.call(PATH, { key, body: { wealth: 2 } })
const tidyNow = (auditRetentionMs: number | null = null) => tidy(service.store, auditRetentionMs)

describe('a guest', () => {
  it('is refused after 24 hours by the exact message, and deleted 7 days later with everything but the audit', async () => {
    const { body } = await service.call('/guest/create', {
      body: { device_id: 'device-7731', device_name: 'laptop-7731', platform: 'linux-7731' },
    })
    const key = body.data.api_key
    const id = await number(service, 'SELECT max(id) FROM accounts')
    assert.equal((await compute(key)).status, 200)
    service.advance(24 * HOUR_MS - 60_000)
    assert.equal((await compute(key)).status, 200)
    service.advance(60_000)
    const expired = await compute(key)
    assert.deepEqual(
      [expired.status, expired.body.error.code, expired.body.message],
      [401, 'guest_key_expired', 'Guest API key has expired'],
    )

    service.advance(7 * DAY_MS - 60_000)
    assert.equal((await tidyNow())!.guests, 0)
    assert.equal((await compute(key)).body.message, 'Guest API key has expired')
    service.advance(60_000)
    assert.equal((await tidyNow())!.guests, 1)
    assert.equal((await tidyNow())!.guests, 0)
    assert.equal((await compute(key)).body.message, 'Invalid or expired API key')
    for (const [table, column] of [
      ['accounts', 'id'],
      ['api_keys', 'account_id'],
      ['ledger', 'account_id'],
    ])
      assert.deepEqual(await query(service, `SELECT 1 FROM ${table} WHERE ${column} = ${id}`), [], table)
    const rows = await query(service, `SELECT * FROM audit WHERE account_id = ${id}`)
    assert.equal(rows.filter((row) => row.kind === 'computation').length, 2)
    assert.ok(!JSON.stringify(rows).includes('7731'), 'nothing tells of the device')
  })
})

describe('the audit past its retention', () => {
  it('goes row by row, while every balance stays proven', async () => {
    const quantd = operator(settingsOf(service))
    const email = 'kept@example.org'
    const created = await quantd(['admin', 'create', email, '--json'])
    const key = created.json.api_key
    for (let call = 0; call < 3; call++) await compute(key)
    service.advance(10 * DAY_MS)
    await compute(key)
    assert.equal((await tidyNow(null))!.auditRows, 0)
    assert.ok((await tidyNow(9 * DAY_MS))!.auditRows >= 4)
    const left = await query(service, `SELECT kind FROM audit WHERE account_id = ${created.json.account_id}`)
    assert.deepEqual(left, [{ kind: 'computation' }])
    const { json } = await quantd(['admin', 'show', email, '--json'])
    assert.deepEqual([json.credits, json.granted, json.spent], [346, 350, 4])
    assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
    const archived = await query(service, "SELECT amount FROM ledger WHERE kind = 'archived_debits'")
    assert.equal(
      archived.reduce((sum, { amount }) => sum + Number(amount), 0),
      -3,
    )
  })
})
