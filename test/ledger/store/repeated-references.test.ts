/** The migration of grants whose reference an earlier version gave to two accounts: both stand, and are named. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { Failure } from '../../../src/base/failure.ts'
import { openSqlite } from '../../../src/ledger/store/sqlite/open.ts'
import { grantCredits, type Moved, reverseGrant } from '../../../src/operators/grants.ts'
import { checkLedger } from '../../../src/operators/ledger-check.ts'
import { tablesBefore } from '../../support/tables-before.ts'

/** Makes a file of the version in which references were not yet unique in the whole ledger. */
function earlierFile(file: string): void {
  const db = new Database(file)
  for (const statement of tablesBefore('014-credit-lots', 'sqlite')) db.exec(statement)
  const account = db.prepare(
    "INSERT INTO accounts (id, uid, tier, balance, created_at, verified_at) VALUES (?, ?, 'free', ?, 1, 1)",
  )
  const grant = db.prepare(
    "INSERT INTO ledger (at, account_id, kind, amount, reference) VALUES (1, ?, 'grant', ?, ?)",
  )
  for (const id of [1, 2, 3]) account.run(id, `uid ${id}`, 40)
  for (const id of [1, 2, 3]) grant.run(id, 30, id === 3 ? 'own' : 'twice')
  for (const id of [1, 2]) grant.run(id, 10, id === 1 ? 'again' : 'twice more')
  grant.run(3, 10, 'again')
  db.close()
}

const event = () => ({
  auditId: crypto.randomUUID(),
  ip: 'cli',
  requestId: 'r',
  method: 'CLI',
  path: 'p',
  actor: 'a',
})

it('two pairs of an account and a reference that was given before stand, are named, and can be granted no third time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-migrated-'))
  earlierFile(join(folder, 'quantd.db'))
  const store = openSqlite({ file: join(folder, 'quantd.db') })
  const { faults, repeatedReferences, reversalFaults } = await store.run(checkLedger, null)
  assert.deepEqual([faults, reversalFaults], [[], []])
  assert.deepEqual(repeatedReferences, [
    { accountId: 3, reference: 'again' },
    { accountId: 2, reference: 'twice' },
  ])
  const grant = (accountId: number, reference: string, credits: number) =>
    store.run(grantCredits, {
      accountId,
      reference,
      credits,
      note: 'n',
      expiresAt: null,
      event: event(),
    })
  const outcomeOf = (result: Moved | Failure) => (result instanceof Failure ? result.code : result.outcome)
  assert.equal(outcomeOf(await grant(1, 'twice', 30)), 'replayed')
  assert.equal(outcomeOf(await grant(2, 'twice', 30)), 'conflict')
  assert.equal(outcomeOf(await grant(3, 'own', 30)), 'replayed')
  assert.equal(outcomeOf(await grant(3, 'twice', 30)), 'conflict')
  const reversed = await store.run(reverseGrant, {
    reference: 'twice',
    credits: 30,
    reversalReference: 'back',
    event: event(),
  })
  assert.deepEqual([outcomeOf(reversed), 'accountId' in reversed && reversed.accountId], ['moved', 1])
  assert.deepEqual((await store.run(checkLedger, null)).faults, [])
  await store.close()
  rmSync(folder, { recursive: true })
})
