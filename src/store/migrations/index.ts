/** The migrations in their order. The node that starts first applies each once, all in one transaction. */
import { from001 } from './001-005.ts'
import { from006 } from './006-012.ts'
import { from013 } from './013-022.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [...from001, ...from006, ...from013]

/** Records which migrations a database has had. */
export const migrationsTable = 'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)'
