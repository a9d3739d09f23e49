/** The migrations in their order. The node that starts first applies each once, all in one transaction. */
import { awaitLock, MIGRATION_LOCK } from '../locks.ts'
import { type Sql, statement, type Transaction, UnusableDatabase } from '../sql.ts'
import { firstRelease } from './001-005.ts'
import { refuseFirstRelease, signOn, sinceFirstRelease } from './006.ts'
import { COLUMN_TYPES, type Migration } from './migration.ts'

export const migrations: readonly Migration[] = [...firstRelease, sinceFirstRelease]

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
  if (done.has(UNRELEASED.first)) return [restOfUnreleased(done)]
  // The first of them is not recorded any more (`refuseFirstRelease`).
  if (done.has(sinceFirstRelease.name)) for (const { name } of firstRelease) done.add(name)
  return migrations.filter(({ name }) => !done.has(name))
}

/** Together, the migrations that became 006 made the same tables as it, but for the column of the sign-on. */
function restOfUnreleased(done: ReadonlySet<string>): Migration {
  if (!done.has(UNRELEASED.last))
    throw new UnusableDatabase(
      `The database is of a version between two releases that this one cannot migrate (${[...done].sort().at(-1)}): start the last version with a migration ${UNRELEASED.last} first, or restore the backup of a release.`,
    )
  const forget = `DELETE FROM migrations WHERE name BETWEEN '${UNRELEASED.first}' AND '${UNRELEASED.last}'`
  return { name: sinceFirstRelease.name, statements: () => [...signOn, forget, refuseFirstRelease] }
}
