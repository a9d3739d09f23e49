/** The state of the database that a start looks at. */
import { migrations } from '../migrations/index.ts'
import type { Sql, Transaction } from '../sql.ts'
import { newestRow } from './admin-audit.ts'
import { type Replication, replication } from './replication.ts'

export interface StartState {
  /** The database's clock. */
  readonly now: number
  /** Time of the newest audit row; null if there is none. */
  readonly newestAt: number | null
  /** Migrations that this version does not have: a newer one has used the database. */
  readonly newerMigrations: readonly string[]
  /** Settings of PostgreSQL that let it lose what it has confirmed. */
  readonly unsafeSettings: readonly string[]
  readonly replication: Replication
}

export function* startState(sql: Sql): Transaction<StartState> {
  const now = yield* sql.clock()
  const newestAt = yield* newestRow(sql)
  const applied = (yield { sql: 'SELECT name FROM migrations ORDER BY name', parameters: [] }).map(
    ({ name }) => String(name),
  )
  const unsafe = sql.dialect === 'postgres' ? yield { sql: UNSAFE, parameters: [] } : []
  return {
    now,
    newestAt,
    newerMigrations: applied.filter((name) => !migrations.some((migration) => migration.name === name)),
    unsafeSettings: unsafe.map(({ name }) => String(name)),
    replication: yield* replication(sql),
  }
}

const UNSAFE = "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off'"
