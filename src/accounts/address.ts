/** E-mail addresses: the form in which they are stored and compared, and what hides which of them have accounts. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { PADDED_MS } from '../base/limits/callers.ts'
import { ADDRESS_SEED } from '../ledger/store/locks.ts'
import { type Sql, statement, type Transaction } from '../ledger/store/sql.ts'
import type { Vault } from '../secrets/vault.ts'

/**
 * An address with its domain in one spelling (UTS #46, no trailing dots), so that `ｖictim.org`, `VICTIM.org.` and
 * `victim.org` are one address. Unicode NFC; the case of the local part stays, because mail is sent to this form.
 */
export function oneSpelling(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).replace(/[.。．｡]+$/, '')
  // A text that is no domain gives an empty result, and receives no mail in any spelling.
  const known = domainToUnicode(domainToASCII(domain)) || domain.toLowerCase()
  return `${email.slice(0, at + 1)}${known}`.normalize('NFC')
}

/** The form in which addresses are compared: one spelling, lower case. */
export const addressOf = (email: string): string => oneSpelling(email).toLowerCase()

/** The mailbox that limits on mails are counted for: an address without a `+tag`, which leads to the same mailbox. */
const mailboxOf = (address: string): string => address.replace(/^([^+]+)\+.*@/, '$1@')

/** A keyed hash, so that the table of attempts does not show which addresses were tried. */
export const subjectOf = (vault: Pick<Vault, 'mac'>, address: string): string =>
  vault.mac('address', address).hash.toString('hex')

export const mailboxSubjectOf = (vault: Pick<Vault, 'mac'>, address: string): string =>
  subjectOf(vault, mailboxOf(address))

/** Locks an address until the transaction ends; to be called before any account is locked. SQLite has a single writer anyway. */
export function* lockAddress(sql: Sql, address: string): Transaction<void> {
  if (sql.dialect === 'postgres')
    yield statement('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', address, ADDRESS_SEED)
}

/** Settles as `work` does, but at the earliest `minimumMs` after the call. */
export async function padResponseTime<Result>(
  work: () => Promise<Result>,
  minimumMs = PADDED_MS.reply,
): Promise<Result> {
  const minimum = new Promise<void>((resolve) => setTimeout(resolve, minimumMs))
  const [outcome] = await Promise.allSettled([work(), minimum])
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
