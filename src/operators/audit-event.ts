/** Changes by an operator: each is an event in the audit that names who made it. */
import { type EventOrigin, writeEvent } from '../ledger/store/events.ts'
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

/** The account and the key that an act is about, and what the audit says of it besides. */
interface About {
  readonly accountId?: number | null
  readonly keyId?: number | null
  readonly facts?: object
}

export function* writeAdminEvent(
  sql: Sql,
  event: AdminEvent,
  name: string,
  { accountId = null, facts = {}, keyId = null }: About = {},
): Transaction<void> {
  const at = yield* sql.clock()
  yield* writeEvent(sql, event, { at, accountId, keyId, name, facts })
}
