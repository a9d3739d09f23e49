/** `quantd move` with 1,000,000 proven rows of the audit: its time and memory. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Stream } from '../../src/ledger/proofs/group.ts'
import { makeCheckpoint } from '../../src/ledger/receipts/make-checkpoint.ts'
import type { Entry } from '../../src/ledger/rules/types.ts'
import { openSqlite } from '../../src/ledger/store/sqlite/open.ts'
import { number } from '../support/database.ts'
import { call, success } from '../support/ledger-in-memory.ts'
import { settingsOf } from '../support/operator.ts'
import { createDatabase, startPostgres } from '../support/postgres.ts'
import { memoryMb } from '../support/processes.ts'
import { ACCOUNTS, addAccounts, testVault } from '../support/proven-audit.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROWS = 1_000_000
const GROUP = 1_000
const GROUPS_OF_CHECKPOINT = 20
const MOST_MB = 700
const PAUSE_MS = 7_000
const CLI = join(import.meta.dirname, '../../src/app/quantd.ts')

/** Calls of several accounts, a millisecond apart in time from group to group, with a checkpoint after some groups. */
async function writeAudit(file: string): Promise<void> {
  const vault = testVault()
  const store = openSqlite({ file })
  addAccounts(file)
  let eventStream: Stream | null = null
  for (let group = 1; group <= ROWS / GROUP; group++) {
    const entries = Array.from({ length: GROUP }, (_, index): Entry => {
      const accountId = 1 + (index % ACCOUNTS)
      const fields = {
        id: crypto.randomUUID(),
        accountId,
        keyId: accountId,
        path: '/quantlib/pricing/bs/price',
      }
      const content = index.toString(16).padStart(64, '0')
      return { step: 'admitAndSettle', call: call(fields), outcome: { ...success, content } }
    })
    await store.commit({ entries })
    if (group % GROUPS_OF_CHECKPOINT === 0)
      ({ eventStream } = (await store.run(makeCheckpoint, { vault, retentionMs: null, eventStream }))!)
  }
  await store.close()
  // The credits that the accounts were made with.
  const db = new Database(file)
  db.exec("INSERT INTO ledger (at, account_id, kind, amount) SELECT 1, id, 'grant', 1000000000 FROM accounts")
  db.close()
}

it('moves 1,000,000 rows of the audit in bounded memory, all of them proven afterwards, though it stands still meanwhile', async () => {
  const dataDir = temporaryFolder('move')
  const server = await startPostgres()
  try {
    await writeAudit(join(dataDir, 'quantd.db'))
    const place = { dataDir, databaseUrl: await createDatabase(server.url, { isEmpty: true }) }
    const began = performance.now()
    const child = spawn(process.execPath, [CLI, 'move', '--json'], {
      env: { PATH: process.env.PATH, ...settingsOf(place) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, memoryMb(child.pid!, 'VmHWM'))
    }, 100)
    // A server ends the transactions of calls after a pause of 5 s.
    child.stderr.on('data', async (told) => {
      if (!String(told).includes('audit: 100000 rows')) return
      child.kill('SIGSTOP')
      await sleep(PAUSE_MS)
      child.kill('SIGCONT')
    })
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    clearInterval(watch)
    assert.equal(child.exitCode, 0, err)
    const seconds = (performance.now() - began) / 1_000
    console.log(
      `measured: 1,000,000 rows of the audit moved in ${seconds.toFixed(0)} s, with ${most.toFixed(0)} MB of memory`,
    )
    const { audit, ledger, tables } = JSON.parse(out)
    assert.equal(tables.audit, await number(place, 'SELECT count(*) FROM audit'))
    assert.equal(audit.rows, tables.audit)
    assert.deepEqual(audit.faults, [])
    assert.equal(ledger.ok, true)
    assert.ok(tables.audit >= ROWS)
    assert.ok(most < MOST_MB, `${most} MB`)
  } finally {
    await server.stop()
  }
})
