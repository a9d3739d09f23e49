/** Key lookups on SQLite after another process (the command line) has changed a key. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { openSqlite } from '../../../src/ledger/store/sqlite/open.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a refused key is read anew each time, so it works as soon as it is activated', async () => {
  const folder = temporaryFolder('lookup')
  const file = join(folder, 'quantd.db')
  // The clock stands still, so nothing in the cache becomes stale.
  const clockOffsetMs = () => 1_800_000_000_000 - Date.now()
  const store = openSqlite({ file, clockOffsetMs })
  const other = new Database(file)
  const hash = Buffer.alloc(32, 1)
  other.exec(
    `INSERT INTO accounts (id, uid, tier, balance, created_at, verified_at) VALUES (1, 'a', 'free', 1, 0, 0)`,
  )
  other
    .prepare(
      `INSERT INTO api_keys (id, uid, account_id, hash, master_key_id, sealed, status, created_at)
       VALUES (1, 'k', 1, ?, 'm', x'00', 'suspended', 0)`,
    )
    .run(hash)
  const statusNow = async () => (await store.lookup([hash]))[0]?.status
  assert.equal(await statusNow(), 'suspended')
  other.exec(`UPDATE api_keys SET status = 'active'`)
  assert.equal(await statusNow(), 'active')
  other.close()
  await store.close()
})
