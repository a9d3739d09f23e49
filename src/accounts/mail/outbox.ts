/** The outbox: mails are stored here, sealed, until they are sent. */

import { uuidv7 } from '../../base/ids.ts'
import { rows, type Sql, type Transaction } from '../../ledger/store/sql.ts'
import type { Sealed, Vault } from '../../secrets/vault.ts'
import type { MailText } from './messages.ts'

/** A mail to be put into the outbox. */
export interface NewMail extends Sealed {
  readonly id: string
  readonly to: string
}

/** A mail that a sender has claimed. */
export interface ClaimedMail extends NewMail {
  /** The number of tries, including this one. */
  readonly tries: number
  /** Time in the outbox, by the database's clock. */
  readonly ageMs: number
}

/** To be run in the transaction that causes the mail. */
export function* queueMail(sql: Sql, mail: NewMail, now: number): Transaction<void> {
  yield* rows(
    sql.db.insertInto('mails').values({
      id: mail.id,
      recipient: mail.to,
      master_key_id: mail.masterKeyId,
      sealed: mail.sealed,
      created_at: now,
      attempts: 0,
      next_at: now,
      sent_at: null,
      last_error: null,
    }),
  )
}

/**
 * Claims mails that are due: hides them from other senders for the lease, and counts a try. On PostgreSQL it
 * skips mails that another sender is claiming.
 */
export function* claimMails(sql: Sql, limit: number, leaseMs: number): Transaction<readonly ClaimedMail[]> {
  const now = yield* sql.clock()
  const due = sql.db
    .selectFrom('mails')
    .select('id')
    .where('sealed', 'is not', null)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
  const claimed = yield* rows(
    sql.db
      .updateTable('mails')
      .set((update) => ({ attempts: update('attempts', '+', 1), next_at: now + leaseMs }))
      .where('id', 'in', sql.dialect === 'postgres' ? due.forUpdate().skipLocked() : due)
      .returning(['id', 'recipient', 'master_key_id', 'sealed', 'attempts', 'created_at']),
  )
  return claimed
    .sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
    .map((mail) => ({
      id: mail.id,
      to: mail.recipient!,
      masterKeyId: mail.master_key_id,
      sealed: mail.sealed!,
      tries: mail.attempts,
      ageMs: now - mail.created_at,
    }))
}

/**
 * Records the outcome of a try.
 * @param error null: the mail was sent
 * @param retryInMs null: there is no further try, and the text is erased
 */
export function* settleMail(
  sql: Sql,
  id: string,
  error: string | null,
  retryInMs: number | null,
): Transaction<void> {
  const now = yield* sql.clock()
  const outcome =
    retryInMs === null
      ? { sealed: null, recipient: null, sent_at: error === null ? now : null }
      : { next_at: now + retryInMs }
  yield* rows(
    sql.db
      .updateTable('mails')
      .set({ ...outcome, last_error: error })
      .where('id', '=', id)
      .where('sealed', 'is not', null),
  )
}

/** Seals a mail for the outbox, bound to its row and recipient. It is sealed before the transaction, which need not wait. */
export function newMail({ vault }: { readonly vault: Vault }, to: string, text: MailText): NewMail {
  const id = uuidv7()
  return { id, to, ...vault.seal('mail', JSON.stringify(text), [id, to]) }
}

/** Throws VaultError. */
export const openMail = (vault: Pick<Vault, 'open'>, mail: NewMail): MailText =>
  JSON.parse(vault.open('mail', mail, [mail.id, mail.to]))

/**
 * Decoys are queued where nothing may be sent, so that a request for an unknown address writes as much as one for a known
 * address. Their recipient is under `.invalid` (RFC 2606), so that no mail could reach anybody even if one were sent.
 */
const DECOYS = '@decoy.invalid'

/** A recipient as long as this address, so that the row has the same size. */
export const decoyRecipient = (email: string): string =>
  `${'x'.repeat(Math.max(1, email.length - DECOYS.length))}${DECOYS}`

export const isDecoy = (recipient: string): boolean => recipient.endsWith(DECOYS)
