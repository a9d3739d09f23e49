/** Counts the rows and groups of the audit, to compare the numbers with those that were checked one by one. */
import { sql as raw } from 'kysely'
import { CHECKPOINT_SLACK_MS, UPGRADE_MS } from '../../base/limits/operation.ts'
import { ALL_TIMES, auditParts, piecesOf } from '../store/audit-parts.ts'
import { first, type Sql, type Transaction } from '../store/sql.ts'
import { type Checkpoint, clockOf } from './checkpoint-text.ts'
import { provenSince } from './proven-since.ts'

interface Checked {
  /** The rows of groups from before this time may have been deleted. */
  readonly keptFrom: number
  /** The number of rows in the other groups. */
  readonly kept: number
  readonly groups: number
}

interface Counted {
  /** The number of rows in no group; if negative, of rows that are missing. */
  readonly more: number
  /** The number of groups in streams that were never opened. */
  readonly stray: number
  /** The number of events that wait for the next checkpoint. */
  readonly waiting: number
  /** The number of rows from before there were proofs. */
  readonly unproven: number
  /** The number of rows without proof from about the time of the upgrade, when nodes of the former version may have written. */
  readonly older: number
}

const count = raw<number>`cast(count(*) as bigint)`.as('count')

export function* countRows(
  sql: Sql,
  { groups, kept, keptFrom }: Checked,
  newest: Checkpoint | null,
): Transaction<Counted> {
  const provenFrom = yield* provenSince(sql, newest)
  // -Infinity leaves out the condition on the time: a forged row may have any time, even one that is no number.
  const since = Math.max(keptFrom, provenFrom) || Number.NEGATIVE_INFINITY
  const rowsOf = sql.db.selectFrom('audit').select(count)
  const parts = yield* auditParts(sql)
  const countFrom = function* (from: number, to: number, counted: typeof rowsOf): Transaction<number> {
    let sum = 0
    for (const piece of piecesOf(parts, { from, to })) {
      const after = Number.isFinite(piece.from) ? counted.where('at', '>=', piece.from) : counted
      const within = Number.isFinite(piece.to) ? after.where('at', '<', piece.to) : after
      sum += Number((yield* first(within))!.count)
    }
    return sum
  }
  const events = rowsOf.where('stream', 'is', null).where('kind', '=', raw.lit('event' as const))
  const newestClock = newest === null ? 0 : Math.min(clockOf(newest), yield* sql.clock())
  const mayWait = Math.max(since, newestClock - CHECKPOINT_SLACK_MS)
  const waiting = yield* countFrom(mayWait, ALL_TIMES.to, events)
  const all = yield* countFrom(since, Number.POSITIVE_INFINITY, rowsOf)
  const unproven = provenFrom === 0 ? 0 : yield* countFrom(0, provenFrom, rowsOf)
  const calls = rowsOf.where('stream', 'is', null).where('kind', '!=', raw.lit('event' as const))
  const older = provenFrom === 0 ? 0 : yield* countFrom(since, provenFrom + UPGRADE_MS, calls)
  const found = yield* first(sql.db.selectFrom('audit_groups').select(count))
  const stray = Number(found!.count) - groups
  return { more: all - waiting - older - kept, stray, waiting, unproven, older }
}
