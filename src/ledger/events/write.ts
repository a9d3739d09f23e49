/** Writes events, each in the transaction of its cause. */
import { rows, type Sql, type Transaction } from '../store/sql.ts'
import type { WebhookEvent } from './event-types.ts'

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
