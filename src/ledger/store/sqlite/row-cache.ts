/** The rows of the hot path on SQLite, kept in memory as they were last read or written. */
import type { Database } from 'better-sqlite3'
import type { LedgerAccount, LedgerKey, LineageKey, TeamKey } from '../../rules/types.ts'
import type { KnownKey } from '../store.ts'

/** The cache is emptied when it holds more rows. */
const MAX_ROWS = 10_000
const FRESH_MS = 5

/**
 * A cache of rows as they were last read or written. It is exact, not merely recent: this connection's own writes pass
 * through it, and SQLite's data_version shows, at each use, whether another connection has committed since.
 */
export function currentRows(db: Database) {
  const dataVersion = db.prepare('PRAGMA data_version').pluck()
  const accounts = new Map<number, LedgerAccount>()
  const keys = new Map<number, LedgerKey>()
  const teamKeys = new Map<number, TeamKey>()
  const lineageKeys = new Map<number, LineageKey>()
  const lookups = new Map<string, Omit<KnownKey, 'now'>>()
  let version = dataVersion.get()
  const forget = (): void => {
    for (const rows of [accounts, keys, teamKeys, lineageKeys, lookups]) rows.clear()
  }
  let lookedAt = 0
  const refresh = (): void => {
    const found = dataVersion.get()
    if (found === version && accounts.size + lookups.size < MAX_ROWS) return
    version = found
    forget()
  }
  return {
    accounts,
    keys,
    teamKeys,
    lineageKeys,
    lookups,
    forget,
    refresh,
    /** Sufficient for authentication: admission checks the key again inside its transaction. */
    refreshIfStale(at: number): void {
      if (Math.abs(at - lookedAt) < FRESH_MS) return
      lookedAt = at
      refresh()
    },
  }
}
