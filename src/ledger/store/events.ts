/** Writes events in the transaction of their cause: those of accounts and operators into the audit, and those of webhooks. */
import type { WebhookEvent } from '../event-types.ts'
import { NO_ACCOUNT } from './audit.ts'
import { rows, type Sql, type Transaction } from './sql.ts'

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

/** To be run in the transaction of the cause, with the account locked, so that the account's events are in their order. */
export function* writeWebhookEvent(sql: Sql, event: WebhookEvent): Transaction<void> {
  yield* writeWebhookEvents(sql, [event])
}

export function* writeWebhookEvents({ db }: Sql, events: readonly WebhookEvent[]): Transaction<void> {
  if (events.length === 0) return
  const written = events.map(({ accountId, at, data, type }) => ({
    account_id: accountId,
    at,
    data: JSON.stringify(data),
    type,
  }))
  yield* rows(db.insertInto('webhook_events').values(written))
}
