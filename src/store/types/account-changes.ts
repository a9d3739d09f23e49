/** Changes of an account: who made them, as the audit records it, and the mail that informs the owner. */
import type { NewMail } from './secrets.ts'

/** The request that caused an account event. */
export interface EventOrigin {
  readonly auditId: string
  readonly ip: string
  readonly requestId: string
  readonly method: string
  readonly path: string
}

/** A change by the account's owner, with the mail that confirms it. */
export interface AccountChange {
  readonly accountId: number
  readonly event: EventOrigin
  readonly mail: NewMail
}

/** An operator's action; `actor` is the user who was logged in at the machine. */
export interface AdminEvent extends EventOrigin {
  readonly actor: string
}

/** A change by an operator. */
export interface AdminChange {
  readonly accountId: number
  readonly event: AdminEvent
}

/** An account by its id or by its e-mail address. */
export type AccountReference = { readonly accountId: number } | { readonly address: string }
