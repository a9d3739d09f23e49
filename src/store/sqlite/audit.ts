/** Writes audit rows into SQLite, several to a statement, with the values that most rows share as literals. */
import type { Database } from 'better-sqlite3'
import type { AuditRow } from '../../ledger/types.ts'
import { auditColumns, type Column, namesOf } from '../ledger-rows.ts'

/** Rows per statement: most of the cost of a single row is the statement around it. */
const SIZES = [16, 4, 1] as const

/** A computation that succeeded. Each value that is not bound saves 0.2 µs. */
const USUAL: Readonly<Record<string, string | number | null>> = {
  kind: 'computation',
  method: 'POST',
  status: 200,
  code: null,
  replayed: 0,
  detail: null,
}
const usualColumns = auditColumns.filter(({ name }) => name in USUAL)
const boundColumns = auditColumns.filter(({ name }) => !(name in USUAL))

export function auditWriter(db: Database): (rows: readonly AuditRow[]) => void {
  const insertUsual = inserter(db, boundColumns, usualColumns)
  const insertAny = inserter(db, auditColumns, [])
  return (rows) => {
    const [usual, others]: [AuditRow[], AuditRow[]] = [[], []]
    for (const row of rows) (isUsual(row) ? usual : others).push(row)
    insertUsual(usual)
    insertAny(others)
  }
}

const isUsual = (row: AuditRow): boolean =>
  usualColumns.every(({ name, value }) => value(row) === USUAL[name])

/**
 * A failed statement rolls back its transaction, as the caller does anyway. By default (OR ABORT) SQLite would write each page
 * to a file before a statement of several rows changes it, to undo that statement alone: a sixth of the cost of a group.
 */
const INSERT = 'INSERT OR ROLLBACK INTO audit'

function inserter(db: Database, bound: readonly Column<AuditRow>[], literal: readonly Column<AuditRow>[]) {
  const names = namesOf([...bound, ...literal])
  const places = `(${[...bound.map(() => '?'), ...literal.map(({ name }) => literalOf(USUAL[name]))].join(', ')})`
  const statements = SIZES.map((size) => ({
    size,
    insert: db.prepare(`${INSERT} (${names}) VALUES ${Array(size).fill(places).join(', ')}`),
  }))
  const valuesOf = (rows: readonly AuditRow[]) => {
    const values: unknown[] = []
    for (const row of rows) for (const { value } of bound) values.push(value(row))
    return values
  }
  return (rows: readonly AuditRow[]): void => {
    let next = 0
    for (const { insert, size } of statements)
      for (; next + size <= rows.length; next += size) insert.run(valuesOf(rows.slice(next, next + size)))
  }
}

const literalOf = (value: string | number | null): string =>
  value === null ? 'NULL' : typeof value === 'string' ? `'${value}'` : String(value)
