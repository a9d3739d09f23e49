/** The migrations in their order. The node that starts first applies each once, all in one transaction. */
import { awaitLock, MIGRATION_LOCK } from '../locks.ts'
import { type Sql, statement, type Transaction } from '../sql.ts'
import { from001 } from './001-005.ts'
import { from006 } from './006-012.ts'
import { from013 } from './013-024.ts'
import { COLUMN_TYPES, type Migration } from './migration.ts'

export const migrations: readonly Migration[] = [...from001, ...from006, ...from013]

/** Records which migrations a database has had. */
export const migrationsTable = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)'

/** Applies the migrations that the database has not had. */
export function* migrate({ dialect }: Pick<Sql, 'dialect'>): Transaction<void> {
  yield* awaitLock({ dialect }, MIGRATION_LOCK)
  yield statement(migrationsTable)
  for (const { name, statements } of yield* missingMigrations()) {
    for (const sql of statements(COLUMN_TYPES[dialect])) yield statement(sql)
    yield statement(`INSERT INTO migrations (name) VALUES ('${name}')`)
  }
}

export function* missingMigrations(): Transaction<readonly Migration[]> {
  const done = new Set((yield statement('SELECT name FROM migrations')).map(({ name }) => name))
  return migrations.filter(({ name }) => !done.has(name))
}
