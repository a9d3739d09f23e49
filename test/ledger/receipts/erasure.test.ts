/** The erasure of a deleted account while a checkpoint is made: only PostgreSQL runs both at once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { number } from '../../support/database.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { useService } from '../../support/people.ts'
import { until } from '../../support/until.ts'

const service = await useService()

/** Waits until this many transactions wait for a lock. */
const blocked = (many: number) =>
  until(async () => {
    const waiting = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    return (await number(service, waiting)) === many
  }, `${many} transactions wait`)

describe('the proofs of a deleted account', { skip: service.databaseUrl === null }, () => {
  it('hold where a checkpoint proves its events while their client addresses are erased', async () => {
    const { key, password } = await service.person()
    const guest = await service.guest()
    const requestId = (await service.compute(guest)).headers.get('x-request-id')
    const client = new pg.Client(service.databaseUrl!)
    await client.connect()
    try {
      await client.query(`BEGIN; SELECT id FROM audit WHERE kind = 'event' FOR UPDATE`)
      const proven = service.call(`/user/receipt?request_id=${requestId}`, { key: guest })
      await blocked(1)
      const deleted = service.call('/user/delete', { key, body: { password } })
      await blocked(2)
      await client.query('COMMIT')
      assert.deepEqual([(await proven).status, (await deleted).status], [200, 200])
    } finally {
      await client.end()
    }
    const { code, out } = await operator(settingsOf(service))(['verify-audit'])
    assert.equal(code, 0, out)
  })
})
