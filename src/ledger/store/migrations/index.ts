/** The migrations in their order. The node that starts first applies each once, all in one transaction. */
import { awaitLock, MIGRATION_LOCK } from '../locks.ts'
import { UnusableDatabase } from '../outcomes.ts'
import { type Sql, statement, type Transaction } from '../sql.ts'
import { firstRelease } from './001-005.ts'
import { sinceFirstRelease } from './006.ts'
import { signOn } from './007.ts'
import { COLUMN_TYPES, type Migration } from './migration.ts'

export const migrations: readonly Migration[] = [...firstRelease, sinceFirstRelease, signOn]

/** Records which migrations a database has had. */
export const migrationsTable = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)'

/** The first and the last of the migrations that databases of developers have had in the place of 006. */
const UNRELEASED = { first: '006-growing-tables', last: '024-authority' }

/** Applies the migrations that the database has not had. Throws UnusableDatabase. */
export function* migrate({ dialect }: Pick<Sql, 'dialect'>): Transaction<void> {
  yield* awaitLock({ dialect }, MIGRATION_LOCK)
  yield statement(migrationsTable)
  for (const { name, statements } of yield* missingMigrations()) {
    for (const sql of statements(COLUMN_TYPES[dialect])) yield statement(sql)
    yield statement(`INSERT INTO migrations (name) VALUES ('${name}')`)
  }
}

export function* missingMigrations(): Transaction<readonly Migration[]> {
  const done = new Set((yield statement('SELECT name FROM migrations')).map(({ name }) => String(name)))
  if (done.has(UNRELEASED.first)) {
    yield* renameUnreleased(done)
    done.add(sinceFirstRelease.name)
  }
  return migrations.filter(({ name }) => !done.has(name))
}

/** Together, the migrations that became 006 made the same tables as it. */
function* renameUnreleased(done: ReadonlySet<string>): Transaction<void> {
  if (!done.has(UNRELEASED.last))
    throw new UnusableDatabase(
      `The database is of a version between two releases that this one cannot migrate (${[...done].sort().at(-1)}): start the last version with a migration ${UNRELEASED.last} first, or restore the backup of a release.`,
    )
  yield statement(`DELETE FROM migrations WHERE name BETWEEN '${UNRELEASED.first}' AND '${UNRELEASED.last}'`)
  yield statement(`INSERT INTO migrations (name) VALUES ('${sinceFirstRelease.name}')`)
}
