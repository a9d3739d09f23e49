/** Changes of an account by its owner, each with the mail that confirms it and an event in the audit. */
import { type NewMail, queueMail } from '../mail/outbox.ts'
import { type EventOrigin, writeEvent } from '../store/audit.ts'
import type { Sql, Transaction } from '../store/sql.ts'

/** A change by the account's owner, with the mail that confirms it. */
export interface AccountChange {
  readonly accountId: number
  readonly event: EventOrigin
  readonly mail: NewMail
}

/** Queues the mail of a change and writes its event. */
export function* confirmChange(
  sql: Sql,
  { accountId, event, mail }: AccountChange,
  name: string,
): Transaction<void> {
  const now = yield* sql.clock()
  yield* queueMail(sql, mail, now)
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name })
}
