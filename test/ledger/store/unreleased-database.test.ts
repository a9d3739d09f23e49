/** Databases of other versions: of developers, whose migrations became one, and what version 0.1.0 finds in a migrated one. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { firstRelease } from '../../../src/ledger/store/migrations/001-005.ts'
import { COLUMN_TYPES } from '../../../src/ledger/store/migrations/migration.ts'
import { query } from '../../support/database.ts'
import { settingsOf } from '../../support/operator.ts'
import { testDatabase } from '../../support/postgres.ts'
import { startTestService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const NOW_ONE = '006-since-0.1.0'

const dataDir = temporaryFolder('unreleased')
const database = { dataDir, databaseUrl: await testDatabase({ isEmpty: true }) }

const started = async (): Promise<void> => await (await startTestService(settingsOf(database))).close()
const names = async () =>
  (await query(database, 'SELECT name FROM migrations ORDER BY name')).map(({ name }) => name)

it('at the last migration before the release starts, at an earlier one it is refused and stays as it is', async () => {
  await started()
  const present = await names()
  assert.ok(present.includes(NOW_ONE))
  const record = (name: string) => query(database, `INSERT INTO migrations (name) VALUES ('${name}')`)
  await query(database, `DELETE FROM migrations WHERE name >= '${NOW_ONE}'`)
  await query(database, 'DROP INDEX accounts_sign_on')
  await query(database, 'ALTER TABLE accounts DROP COLUMN sign_on')
  await record('006-growing-tables')
  await record('023-work')
  const older = await names()
  await assert.rejects(
    started(),
    /between two releases .*\(023-work\): start the last version with a migration 024-authority/,
  )
  assert.deepEqual(await names(), older)
  await record('024-authority')
  await started()
  assert.deepEqual(await names(), present)
  assert.deepEqual(await query(database, 'SELECT sign_on FROM accounts WHERE sign_on IS NOT NULL'), [])
})

it('does not let version 0.1.0 start, which would run its first migration again', async () => {
  await started()
  const recorded = await names()
  await started()
  assert.deepEqual(await names(), recorded)
  const [missing, ...others] = firstRelease.filter(({ name }) => !recorded.includes(name))
  assert.deepEqual([missing.name, others], ['001-ledger', []])
  const [statement] = missing.statements(COLUMN_TYPES[database.databaseUrl === null ? 'sqlite' : 'postgres'])
  await assert.rejects(query(database, statement), /accounts"? already exists/)
})
