/** Changes by an operator: each is an event in the audit that names who made it. */
import { type EventOrigin, writeEvent } from '../ledger/store/audit.ts'
import type { Sql, Transaction } from '../ledger/store/sql.ts'

/** The event of an operator's act; `actor` is the login on the machine, or the name of the token. */
export interface AdminEvent extends EventOrigin {
  readonly actor: string
}

/** A change by an operator. */
export interface AdminChange {
  readonly accountId: number
  readonly event: AdminEvent
}

export function* writeAdminEvent(
  sql: Sql,
  event: AdminEvent,
  accountId: number | null,
  name: string,
  facts: object = {},
  keyId: number | null = null,
): Transaction<void> {
  yield* writeEvent(sql, event, { at: yield* sql.clock(), accountId, keyId, name, facts })
}
