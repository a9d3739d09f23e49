/** Proofs of the calls of more accounts than a stream of groups remembers the salts of. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { number, query } from '../../support/database.ts'
import { callOf } from '../../support/ledger-accounts.ts'
import { whole } from '../../support/ledger-in-memory.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { useService } from '../../support/people.ts'

const FIRST = 1_000
const ACCOUNTS = 12_000
const IN_A_GROUP = 1_000

const service = await useService()

const bytes = `cast('key-' || id AS ${service.databaseUrl === null ? 'blob' : 'bytea'})`
const accounts = `(WITH RECURSIVE n (id) AS (SELECT ${FIRST} UNION ALL SELECT id + 1 FROM n
  WHERE id < ${FIRST + ACCOUNTS - 1}) SELECT id FROM n) AS s`

test('each account has one salt, however many have called', async () => {
  await query(
    service,
    `INSERT INTO accounts (id, uid, tier, balance, created_at, verified_at, address, email, username)
     SELECT id, 'uid-' || id, 'free', 10, 1, 1, id || '@example.org', id || '@example.org', 'person' FROM ${accounts}`,
  )
  await query(
    service,
    `INSERT INTO ledger (at, account_id, kind, amount) SELECT 1, id, 'grant', 10 FROM ${accounts}`,
  )
  await query(
    service,
    `INSERT INTO api_keys (id, uid, account_id, hash, sealed, prefix, master_key_id, status, created_at)
     SELECT id, 'key-' || id, id, ${bytes}, ${bytes}, 'p', 'm', 'active', 1 FROM ${accounts}`,
  )
  // Half of a group has called in the one before it. In the second round the others have a salt that is not remembered.
  for (const round of [1, 2])
    for (let n = 0; n + IN_A_GROUP <= ACCOUNTS; n += IN_A_GROUP / 2) {
      const ids = Array.from({ length: IN_A_GROUP }, (_, i) => FIRST + n + i)
      const entries = ids.map((id) => whole(callOf({ id, keyId: id })))
      const commit = () => service.store.commit({ entries })
      // A busy machine may lose a connection; a group that is entered again finds its rows.
      for (const verdict of await commit().catch(commit)) assert.ok(verdict.ok, `${round}`)
    }
  assert.equal(await number(service, 'SELECT count(*) FROM audit_salts'), ACCOUNTS)
  const checked = await operator(settingsOf(service))(['verify-audit'])
  assert.equal(checked.code, 0)
})
