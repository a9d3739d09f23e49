/** The partitions of the audit, on PostgreSQL: one for each day, and one for all rows from before there were any. */
import type { Sql, Transaction } from '../sql.ts'

/** A piece of time in epoch milliseconds, the first included, the last not. */
export interface Piece {
  readonly from: number
  readonly to: number
}

export interface Part extends Piece {
  /** Name of the table. */
  readonly name: string
}

/** The partition for rows of all other times. */
export const DEFAULT_PART = 'audit_default'

const PARTS = `SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bounds
  FROM pg_class JOIN pg_inherits ON inhrelid = oid WHERE inhparent = 'audit'::regclass`
const BOUNDS = /^FOR VALUES FROM \((?:MINVALUE|'(-?\d+)')\) TO \('(-?\d+)'\)$/

/** The oldest first, without the default partition; none where the audit is one table. */
export function* auditParts({ isByDay }: Pick<Sql, 'isByDay'>): Transaction<Part[]> {
  if (!isByDay) return []
  const found = yield { sql: PARTS, parameters: [] }
  const parts = found.flatMap(({ bounds, name }) => {
    const [, from = Number.NEGATIVE_INFINITY, to] = BOUNDS.exec(String(bounds)) ?? []
    return to === undefined ? [] : [{ name: String(name), from: Number(from), to: Number(to) }]
  })
  return parts.sort((a, b) => a.from - b.from)
}

/**
 * A range in pieces that each concern one partition, the oldest first: a statement over all of them would lock and plan
 * hundreds of tables.
 */
export function piecesOf(parts: readonly Part[], { from, to }: Piece): Piece[] {
  const cuts = new Set(parts.flatMap((part) => [part.from, part.to]))
  const within = [...cuts].filter((cut) => cut > from && cut < to).sort((a, b) => a - b)
  return [from, ...within].map((start, index) => ({ from: start, to: within[index] ?? to }))
}
