/** The migrations, in order; each is applied once, in one transaction, by whichever node starts first. */
import { ledgerTables } from './001-ledger.ts'
import { accountTables } from './002-accounts.ts'

/** The words in which the two databases differ. */
export interface ColumnTypes {
  /** A number the database gives out. */
  readonly id: string
  /** A 64-bit integer. */
  readonly integer: string
  readonly bytes: string
  /** Table option that leaves room for updates in place. */
  readonly updatedOften: string
}

export interface Migration {
  readonly name: string
  statements(type: ColumnTypes): readonly string[]
}

export const migrations: readonly Migration[] = [ledgerTables, accountTables]

/** Remembers which migrations a database has had. */
export const migrationsTable = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)'
