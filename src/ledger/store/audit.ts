/** Account events in the audit. */
import { sql as raw } from 'kysely'
import { ALL_TIMES, auditParts, piecesOf } from './audit-parts.ts'
import { first, rows, type Sql, type Transaction } from './sql.ts'

/** A literal, because a parameter does not match the partial indexes of the audit. */
export const COMPUTATION = raw.lit('computation' as const)

/** Stands for the account in events that concern none, so that every row has an account. Ids begin at 1. */
export const NO_ACCOUNT = 0

interface AccountEvent {
  readonly at: number
  readonly accountId: number | null
  readonly keyId: number | null
  /** The event in the past tense: `key_regenerated`. */
  readonly name: string
  readonly facts?: object
}

export function* writeEvent(sql: Sql, origin: EventOrigin, event: AccountEvent): Transaction<void> {
  yield* rows(
    sql.db.insertInto('audit').values({
      id: origin.auditId,
      at: event.at,
      account_id: event.accountId ?? NO_ACCOUNT,
      key_id: event.keyId,
      kind: 'event',
      method: origin.method,
      path: origin.path,
      status: 200,
      code: event.name,
      credits: 0,
      calls: 0,
      ip: origin.ip,
      request_id: origin.requestId,
      duration_ms: 0,
      replayed: 0,
      detail: detailOf(origin, event),
    }),
  )
}

/** JSON: the operator who acted, if any, with the reason, then the facts; null: there is neither. */
function detailOf({ actor, confirmedBy, reason }: EventOrigin, { facts = {} }: AccountEvent): string | null {
  const detail = {
    ...(actor !== undefined && { actor }),
    ...(confirmedBy !== undefined && { confirmed_by: confirmedBy }),
    ...(reason !== undefined && { reason }),
    ...facts,
  }
  return Object.keys(detail).length === 0 ? null : JSON.stringify(detail)
}

/** The request that caused an account event. */
export interface EventOrigin {
  readonly auditId: string
  readonly ip: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** The operator who acted; `reason` is in the operator's words. */
  readonly actor?: string
  readonly reason?: string
  /** The second operator, who confirmed it. */
  readonly confirmedBy?: string
}

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
