/** The keys of receipts, which anybody may ask for, and the connections to the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asAdmin } from '../support/as-admin.ts'
import { startTestService } from '../support/service.ts'

const isPostgres = process.env.QUANTD_TEST_DATABASE === 'postgres'
/** More than the service has connections. */
const REQUESTS = 40

test('requests for the keys of receipts share one connection, also while the database does not answer them', {
  skip: !isPostgres && 'SQLite answers at once',
}, async (t) => {
  const service = await startTestService()
  t.after(() => service.close())
  const asked = await asAdmin(service.databaseUrl!, async (admin) => {
    await admin.query('BEGIN; LOCK TABLE signing_keys IN ACCESS EXCLUSIVE MODE')
    const waiting = Array.from({ length: REQUESTS }, () => service.call('/.well-known/quantd-keys.json'))
    await service.guest()
    await admin.query('ROLLBACK')
    return waiting
  })
  const replies = await Promise.all(asked)
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
})
