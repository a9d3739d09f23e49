/**
 * The table of the audit: its first and last rows, and its partitions on PostgreSQL, which are one for each day and one for all rows
 * from before there were any.
 */

import { sql as raw } from 'kysely'
import { DAY_MS, dayName } from '../../base/time.ts'
import { first, type Sql, statement, type Transaction } from './sql.ts'

/** A literal, because a parameter does not match the partial indexes of the audit. */
export const COMPUTATION = raw.lit('computation' as const)

/** Stands for the account in events that concern none, so that every row has an account. Ids begin at 1. */
export const NO_ACCOUNT = 0

/** The time of the newest (desc) or of the oldest row of the audit's table; null if there is none. */
export function* edgeRow(sql: Sql, order: 'asc' | 'desc'): Transaction<number | null> {
  const pieces = piecesOf(yield* auditParts(sql), ALL_TIMES)
  for (const { from, to } of order === 'desc' ? pieces.reverse() : pieces) {
    const rowsOf = sql.db.selectFrom('audit').select('at').where('at', '>=', from).where('at', '<', to)
    const row = yield* first(rowsOf.orderBy('at', order).limit(1))
    if (row !== undefined) return row.at
  }
  return null
}

/** A range of epoch milliseconds; `from` is included, `to` is not. */
export interface Piece {
  readonly from: number
  readonly to: number
}

export interface AuditPart extends Piece {
  /** The name of the partition. */
  readonly name: string
}

/** The first millisecond of the day (UTC) of a time. */
export const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

export const ALL_TIMES: Piece = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** The partition for rows whose day has none. */
export const DEFAULT_PART = 'audit_default'

/** The partition of the rows from before the audit was partitioned by days. */
export const EARLIER_PART = 'audit_earlier'

const DAY_PART = /^audit_(\d{4})(\d\d)(\d\d)$/

/** `audit_20261122`. @param day its first millisecond */
export const partOfDay = (day: number): string => `audit_${dayName(day).replaceAll('-', '')}`

/** Reading the bounds of hundreds of days takes ten times as long as their names. */
const PARTS = `SELECT relname AS name,
    CASE relname WHEN '${EARLIER_PART}' THEN substring(pg_get_expr(relpartbound, oid) FROM '\\d{9,}')::bigint END AS limit
  FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE inhparent = 'audit'::regclass`

/** The partitions but the default one, the oldest first; empty where the audit is one table. */
export function* auditParts({ isByDay }: Pick<Sql, 'isByDay'>): Transaction<AuditPart[]> {
  if (!isByDay) return []
  const found = yield statement(PARTS)
  const parts = found.flatMap(({ limit, name }): AuditPart[] => {
    if (limit !== null) return [{ name: EARLIER_PART, from: Number.NEGATIVE_INFINITY, to: Number(limit) }]
    const [, year, month, day] = DAY_PART.exec(String(name))?.map(Number) ?? []
    if (year === undefined) return []
    const from = Date.UTC(year, month! - 1, day)
    return [{ name: String(name), from, to: from + DAY_MS }]
  })
  return parts.sort((a, b) => a.from - b.from)
}

/** Divides a range at the bounds of partitions, the oldest first: a statement over all would lock and plan hundreds of tables. */
export function piecesOf(parts: readonly AuditPart[], { from, to }: Piece): Piece[] {
  const cuts = new Set(parts.flatMap((part) => [part.from, part.to]))
  const within = [...cuts].filter((cut) => cut > from && cut < to).sort((a, b) => a - b)
  return [from, ...within].map((start, index) => ({ from: start, to: within[index] ?? to }))
}
