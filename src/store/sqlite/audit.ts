/** Audit rows into SQLite: several to a statement, and what they have in common written into it. */
import type { Database } from 'better-sqlite3'
import type { AuditRow } from '../../ledger/types.ts'

/** Rows to a statement: most of what a single row costs is the statement around it. */
const SIZES = [16, 4, 1] as const
const COLUMNS =
  'id, at, account_id, key_id, path, credits, calls, ip, request_id, duration_ms, kind, method, status, code, replayed, detail'
const ANY_ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
/** A computation that succeeded: each value that need not be bound saves a fifth of a microsecond. */
const USUAL_ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'computation', 'POST', 200, NULL, 0, NULL)"

export function auditWriter(db: Database): (rows: readonly AuditRow[]) => void {
  const insertUsual = inserter(db, USUAL_ROW, usualValues)
  const insertAny = inserter(db, ANY_ROW, (row) => [...usualValues(row), ...otherValues(row)])
  return (rows) => {
    insertUsual(rows.filter(isUsual))
    insertAny(rows.filter((row) => !isUsual(row)))
  }
}

function inserter(db: Database, places: string, values: (row: AuditRow) => unknown[]) {
  const statements = SIZES.map((size) => ({
    size,
    insert: db.prepare(`INSERT INTO audit (${COLUMNS}) VALUES ${Array(size).fill(places).join(', ')}`),
  }))
  return (rows: readonly AuditRow[]): void => {
    let next = 0
    for (const { insert, size } of statements)
      for (; next + size <= rows.length; next += size)
        insert.run(rows.slice(next, next + size).flatMap(values))
  }
}

const isUsual = (row: AuditRow): boolean =>
  row.kind === 'computation' &&
  row.method === 'POST' &&
  row.status === 200 &&
  row.code === null &&
  !row.replayed &&
  row.detail === null

const usualValues = (row: AuditRow) => [
  row.id,
  row.at,
  row.accountId,
  row.keyId,
  row.path,
  row.credits,
  row.calls,
  row.ip,
  row.requestId,
  row.durationMs,
]

const otherValues = (row: AuditRow) => [
  row.kind,
  row.method,
  row.status,
  row.code,
  row.replayed ? 1 : 0,
  row.detail,
]
