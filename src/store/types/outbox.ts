/** The outbox in the Store. */
import type { NewMail } from './parts.ts'

/** A mail that a sender has taken; `attempt` is 1 the first time. */
export interface ClaimedMail extends NewMail {
  readonly attempt: number
  readonly ageMs: number
}

export interface OutboxStore {
  /** Takes mails that are due, hides them from other senders for the lease, and counts an attempt. */
  claimMails(limit: number, leaseMs: number): Promise<readonly ClaimedMail[]>
  mailSent(id: string): Promise<void>
  mailFailed(id: string, error: string, retryInMs: number): Promise<void>
  mailAbandoned(id: string, error: string): Promise<void>
}
