/** The backup of a Citus cluster: all servers are restored to one point, with the ledger of that moment. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPostgres } from '../../../src/ledger/store/postgres/reader.ts'
import { createAccount } from '../../../src/operators/account-changes.ts'
import { checkLedger } from '../../../src/operators/ledger-check.ts'
import { backUp } from '../../support/citus-backup.ts'
import { citusOnly, startCitus } from '../../support/citus-cluster.ts'
import { startLoad } from '../../support/metered-load.ts'
import { newAccount } from '../../support/new-account.ts'
import { postgresSql } from '../../support/plain-sql.ts'
import { createDatabase } from '../../support/postgres.ts'
import { startTestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const CALL = { path: '/quantlib/economics/utility/log', body: { wealth: 2 } }
const CLIENTS = 16
const POINT = 'before'

describe('a backup of Citus', citusOnly, () => {
  it('is restored to a point under load: with the calls before it, without those after it, and a correct ledger', async () => {
    // Its own, since all its servers go back in time.
    const cluster = await startCitus()
    const backup = await backUp(cluster.folder)
    const databaseUrl = await createDatabase(cluster.url)
    const node = await startTestService({ QUANTD_IP_LIMITS: 'off', DATABASE_URL: databaseUrl })
    try {
      const sql = postgresSql(databaseUrl)
      const debits = async () =>
        (await sql.query<{ id: string }>('SELECT id FROM audit WHERE credits > 0')).map(({ id }) => id)
      const load = await startLoad([node], CLIENTS, CLIENTS)
      await load.succeedsAgain()
      // Over two servers each.
      const creating = Promise.all(
        Array.from({ length: 8 }, (_, n) => node.store.run(createAccount, newAccount(`${n}@example.org`))),
      )
      const earlier = await debits()
      await sql.query('SELECT citus_create_restore_point($1)', [POINT])
      await creating
      const key = await node.guest()
      const later = `later-${Date.now()}`
      const answer = await node.callOnce(CALL.path, {
        key,
        body: CALL.body,
        headers: { 'x-request-id': later },
      })
      assert.equal(answer.status, 200)
      await load.end()
      await backup.restore(POINT)
      await sql.query('SELECT recover_prepared_transactions()')
      const present = new Set(await debits())
      assert.deepEqual(new Set(earlier).difference(present), new Set())
      assert.deepEqual(await sql.query('SELECT 1 FROM audit WHERE request_id = $1', [later]), [])
      const reads = await readPostgres(databaseUrl)
      assert.deepEqual((await reads.run(checkLedger, null)).faults, [])
      await reads.close()
      const served = async () =>
        (await node.callOnce(CALL.path, { key: await node.guest(), body: CALL.body })).status
      await until(async () => (await served().catch(() => 0)) === 200, 'calls are answered')
    } finally {
      await node.close()
      cluster.stop()
    }
  })
})
