/** Requests that anybody may send, and the connections to the database that they take. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asAdmin } from '../../support/as-admin.ts'
import { freePort } from '../../support/free-port.ts'
import { useService } from '../../support/people.ts'
import type { TestService } from '../../support/service.ts'

const skip = process.env.QUANTD_TEST_DATABASE === 'postgres' ? false : 'PostgreSQL only'

/** More than the service has connections to the database, and fewer than the listener of the metrics takes. */
const REQUESTS = 24

/** Asks while nobody may read the table; returns how many connections wait for it once others were answered. */
async function askedInVain(service: TestService, table: string, url: string): Promise<number> {
  const [waiting, asked] = await asAdmin(service.databaseUrl!, async (admin) => {
    await admin.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    const asked = Array.from({ length: REQUESTS }, () => fetch(url))
    // The first ones overtake requests that have not arrived.
    for (let guests = 0; guests < 10; guests++) await service.guest()
    const { rows } = await admin.query(
      `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`,
    )
    await admin.query('ROLLBACK')
    return [rows.length, asked]
  })
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
  return waiting
}

describe('a database that does not answer', { skip }, () => {
  it('is asked by one connection for the keys of receipts, and by one for the metrics', async () => {
    const port = await freePort()
    const service = await useService({ METRICS_PORT: String(port) })
    // The sender of mails, too, reads its table at times.
    for (const [table, url, readers] of [
      ['signing_keys', `${service.url}/.well-known/quantd-keys.json`, 1],
      ['mails', `http://127.0.0.1:${port}/metrics`, 2],
    ] as const)
      assert.ok((await askedInVain(service, table, url)) <= readers, table)
  })
})
