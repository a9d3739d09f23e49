/** Writes events, each in the transaction of its cause. */
import { rows, type Sql, type Transaction } from '../store/sql.ts'
import type { WebhookEvent } from './event-types.ts'

/** Call it in the transaction of the cause, with the account locked: so its events are in their order. */
export function* writeWebhookEvent(
  { db }: Sql,
  { accountId, at, data, type }: WebhookEvent,
): Transaction<void> {
  yield* rows(
    db.insertInto('webhook_events').values({ account_id: accountId, at, data: JSON.stringify(data), type }),
  )
}
