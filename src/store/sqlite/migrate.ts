/** Applies the migrations to an SQLite file. */
import type { Database } from 'better-sqlite3'
import { migrations, migrationsTable } from '../migrations/index.ts'
import { COLUMN_TYPES } from '../migrations/migration.ts'

/** Runs inside the caller's transaction. */
export function migrate(db: Database): void {
  db.exec(migrationsTable)
  for (const { name, statements } of migrations) {
    if (db.prepare('SELECT 1 FROM migrations WHERE name = ?').get(name) !== undefined) continue
    for (const statement of statements(COLUMN_TYPES.sqlite)) db.exec(statement)
    db.prepare('INSERT INTO migrations (name) VALUES (?)').run(name)
  }
}
