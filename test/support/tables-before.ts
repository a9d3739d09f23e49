/** The tables of an earlier version: the state before a given migration. */
import { migrations, migrationsTable } from '../../src/ledger/store/migrations/index.ts'
import { COLUMN_TYPES } from '../../src/ledger/store/migrations/migration.ts'

/** @returns the statements that make them in an empty database */
export function tablesBefore(migration: string, dialect: keyof typeof COLUMN_TYPES): string[] {
  const earlier = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === migration),
  )
  return [
    migrationsTable,
    ...earlier.flatMap(({ name, statements }) => [
      ...statements(COLUMN_TYPES[dialect]),
      `INSERT INTO migrations (name) VALUES ('${name}')`,
    ]),
  ]
}
