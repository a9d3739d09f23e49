/** Guests and audit rows expire; the tests move the clock. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WEBHOOK_BATCH } from '../../src/base/limits/operation.ts'
import { number, query } from '../support/database.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { useService } from '../support/people.ts'
import { tidied } from '../support/tidied.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const service = await useService()

describe('a guest', () => {
  it('is refused after 24 hours by the exact message, and deleted 7 days later with everything but the audit', async () => {
    const { body } = await service.call('/guest/create', {
      body: { device_id: 'device-7731', device_name: 'laptop-7731', platform: 'linux-7731' },
    })
    const key = body.data.api_key
    const id = await number(service, 'SELECT max(id) FROM accounts')
    assert.equal((await service.compute(key)).status, 200)
    service.advance(DAY_MS - MINUTE_MS)
    assert.equal((await service.compute(key)).status, 200)
    service.advance(MINUTE_MS)
    const expired = await service.compute(key)
    assert.deepEqual(
      [expired.status, expired.body.error.code, expired.body.message],
      [401, 'guest_key_expired', 'Guest API key has expired'],
    )

    service.advance(7 * DAY_MS - MINUTE_MS)
    assert.equal((await tidied(service)).guests, 0)
    assert.equal((await service.compute(key)).body.message, 'Guest API key has expired')
    service.advance(MINUTE_MS)
    assert.equal((await tidied(service)).guests, 1)
    assert.equal((await tidied(service)).guests, 0)
    assert.equal((await service.compute(key)).body.message, 'Invalid or expired API key')
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
  it('is deleted row by row, while every balance stays proven', async () => {
    const quantd = operator(settingsOf(service))
    const email = 'kept@example.org'
    const created = await quantd(['admin', 'create', email, '--json'])
    const key = created.json.api_key
    for (let call = 0; call < 3; call++) await service.compute(key)
    service.advance(10 * DAY_MS)
    await service.compute(key)
    assert.equal((await tidied(service)).auditRows, 0)
    assert.ok((await tidied(service, 9 * DAY_MS)).auditRows >= 4)
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

describe('a team key past the retention of the audit', () => {
  const quantd = operator(settingsOf(service))
  const managed = async (key: string, verb: string, body: object) => {
    const { body: reply, status, text } = await service.call(`/user/keys/${verb}`, { key, body })
    assert.equal(status, 200, text)
    return reply.data
  }
  const rows = async (id: number) => [
    (await query(service, `SELECT id FROM api_keys WHERE team_key_id = ${id}`)).length,
    (await query(service, `SELECT id FROM team_keys WHERE id = ${id}`)).length,
  ]

  it('is deleted once it is revoked or replaced and its calls are deleted, while every sum stays proven', async () => {
    const email = 'team@example.org'
    const { json } = await quantd(['admin', 'create', email, '--json'])
    const own = json.api_key
    const live = await managed(own, 'create', { name: 'live' })
    const ended = await managed(own, 'create', { name: 'ended' })
    const wrong = await managed(own, 'create', { name: 'wrong' })
    for (const { key } of [live, live, ended, wrong]) assert.equal((await service.compute(key)).status, 200)
    const replaced = await managed(own, 'rotate', { id: live.id, overlap_seconds: 60 })
    const second = await managed(own, 'rotate', { id: ended.id })
    for (const { key } of [replaced, second]) assert.equal((await service.compute(key)).status, 200)
    for (const { id } of [ended, wrong]) await managed(own, 'revoke', { id })
    await query(service, `UPDATE team_keys SET spent_total = spent_total + 1 WHERE id = ${wrong.id}`)

    service.advance(8 * DAY_MS)
    await tidied(service, 9 * DAY_MS)
    assert.deepEqual(await rows(ended.id), [2, 1], 'its calls are still known')
    service.advance(2 * DAY_MS)
    await tidied(service)
    assert.deepEqual(await rows(ended.id), [2, 1], 'the audit is kept forever')
    await tidied(service, 9 * DAY_MS)
    assert.deepEqual(
      [await rows(live.id), await rows(ended.id)],
      [
        [1, 1],
        [0, 0],
      ],
    )
    assert.deepEqual(await rows(wrong.id), [1, 1], 'a fault stays to be found')
    const { code, out } = await quantd(['admin', 'verify-ledger'])
    assert.equal(code, 1)
    assert.match(out, new RegExp(`team key ${wrong.id} of account \\d+ has spent 2 credits`))
    await query(service, `UPDATE team_keys SET spent_total = spent_total - 1 WHERE id = ${wrong.id}`)
    assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
    await tidied(service, 9 * DAY_MS)
    assert.deepEqual(await rows(wrong.id), [0, 0])

    for (const { key } of [ended, second, wrong, live]) assert.equal((await service.compute(key)).status, 401)
    assert.equal((await service.compute(replaced.key)).status, 200)
    const { items } = (await service.call('/user/keys', { key: own })).body.data
    assert.deepEqual(
      items.map(({ id, spent_total }: { id: number; spent_total: number }) => [id, spent_total]),
      [[live.id, 4]],
    )
    assert.equal((await service.call('/user/credits', { key: own })).body.data.spent, 7)
    assert.equal((await quantd(['admin', 'verify-ledger'])).code, 0)
  })
})

describe('the events of a service without an endpoint', () => {
  it('do not wait for the first endpoint, whose creation would change all of a month at once', async () => {
    const values = Array.from({ length: WEBHOOK_BATCH + 1 }, (_, at) => `(1, 'account.created', '{}', ${at})`)
    await query(service, `INSERT INTO webhook_events (account_id, type, data, at) VALUES ${values}`)
    await tidied(service)
    assert.equal(await number(service, 'SELECT count(*) FROM webhook_events WHERE queued_at IS NULL'), 0)
  })
})
