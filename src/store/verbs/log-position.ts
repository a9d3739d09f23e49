/** The position of the database's write-ahead log, by which the lag of a replica is measured. */
import type { Sql, Transaction } from '../sql.ts'

/** In bytes, as decimal digits; 0 on SQLite, which has no replica. */
export function* logPosition({ dialect }: Sql): Transaction<string> {
  if (dialect === 'sqlite') return '0'
  const [row] = yield { sql: POSITION, parameters: [] }
  return String(row!.position)
}

const POSITION = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS position"
