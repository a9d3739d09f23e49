/** One-time codes sent by mail: one confirms a registration, the other resets a password. */
import { wrongMailedCode } from '../base/errors/accounts.ts'
import { uuidv7 } from '../base/ids.ts'
import { CODE_LIFETIME_MS, GUESSES_PER_CODE } from '../base/limits/callers.ts'
import { MINUTE_MS } from '../base/time.ts'
import { type Attempt, type AttemptLimit, countAttempt, forgive } from '../ledger/store/attempts.ts'
import { NO_ACCOUNT } from '../ledger/store/audit.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import { type MailedCode, oneTimeCode, resetCode } from '../secrets/codes.ts'
import type { AccountContext } from './account-endpoint.ts'
import { lockAddress, mailboxSubjectOf, subjectOf } from './address.ts'
import {
  allowed,
  mailLimits,
  mailPause,
  mailReserve,
  registrationCodeLimit,
  resetCodeLimit,
} from './attempts.ts'
import type { MailText } from './mail/messages.ts'
import { decoyRecipient, type NewMail, newMail } from './mail/outbox.ts'

type CodePurpose = 'registration' | 'reset'

/** The reply of every endpoint that sends a registration code, whether or not the address is known. */
export const CODE_SENT = `A code has been sent to this address. It is valid for ${CODE_LIFETIME_MS / MINUTE_MS} minutes.`

const CODES = {
  registration: {
    form: oneTimeCode,
    guess: guessRegistration,
    limit: registrationCodeLimit,
  },
  reset: {
    form: resetCode,
    guess: guessReset,
    limit: resetCodeLimit,
  },
}

/** A new code and its keyed hash; `uid` is the row that the code belongs to. */
export function newCode({ vault }: AccountContext, purpose: CodePurpose, uid = uuidv7()) {
  const { form } = CODES[purpose]
  const code = form.make()
  return { code, stored: { uid, storedHash: form.keep(vault, uid, code) } }
}

interface Recipient {
  readonly address: string
  readonly email: string
  /** Whether the mail is written only so that the work is the same. */
  readonly isDecoy: boolean
}

/** The mail of a code, and the limits on mails of its kind. */
export const codeMail = (
  context: AccountContext,
  purpose: CodePurpose,
  { address, email, isDecoy }: Recipient,
  text: MailText,
  { subject }: Origin,
): CodeMail => ({
  mail: newMail(context, isDecoy ? decoyRecipient(email) : email, text),
  mailLimits: mailLimits(purpose, mailboxSubjectOf(context.vault, address), subject),
  mailReserve: mailReserve(purpose, mailboxSubjectOf(context.vault, address), subject),
  pause: mailPause(purpose, subjectOf(context.vault, address)),
})

/** Keyed hashes of a registration's token, one per master key; none: no token was sent. */
export const tokenHashes = ({ vault }: AccountContext, token: string | undefined): readonly Buffer[] =>
  token === undefined ? [] : vault.macs('registration', token).map(({ hash }) => hash)

/** A code that somebody typed for an address. */
interface TypedCode {
  readonly address: string
  readonly typed: string
  readonly origin: Origin
  /** Keyed hashes of the token of a registration; none: no token was sent. */
  readonly tokens?: readonly Uint8Array[]
}

/** Counts the guess before it is compared. Throws Failure `otp_invalid` or `too_many_attempts`. */
export async function checkMailedCode(
  { store, vault }: AccountContext,
  purpose: CodePurpose,
  { address, origin, tokens = [], typed }: TypedCode,
) {
  const { form, guess, limit: limitOf } = CODES[purpose]
  const limit = limitOf(subjectOf(vault, address), origin.subject)
  const { codes, counted } = allowed(await store.run(guess, { address, limit, tokens }))
  // Compares all codes, so that the time does not depend on which one matches.
  const [code] = codes.filter(({ storedHash, uid }) => form.matches(vault, uid, storedHash, typed))
  if (code === undefined) throw wrongMailedCode()
  return { code, counted }
}

/** A guess at the codes of an address: counted against `limit`, and by each code that is still valid. */
interface CodeGuess {
  readonly address: string
  readonly limit: AttemptLimit
  /** Keyed hashes of the token of a registration; none: no token was sent. */
  readonly tokens: readonly Uint8Array[]
}

/** A mail with a code: written for a decoy recipient where nothing may be sent, so that the work is the same. */
export interface CodeMail {
  readonly mail: NewMail
  /** Requests for a mail, whether or not one is sent. */
  readonly mailLimits: readonly AttemptLimit[]
  /** Limits on requests that `mailLimits` refuse. */
  readonly mailReserve: readonly AttemptLimit[]
  /** No further mail is sent while this counter runs. */
  readonly pause: AttemptLimit
}

/** Counts a request for a mail. */
export function* countMail(
  sql: Sql,
  { mailLimits, mailReserve }: Pick<CodeMail, 'mailLimits' | 'mailReserve'>,
): Transaction<Attempt> {
  const counted = yield* countAttempt(sql, mailLimits)
  if (counted.ok) return counted
  const reserved = yield* countAttempt(sql, mailReserve)
  return reserved.ok ? reserved : counted
}

/** Counts a request for another mail, of which none is sent while the pause after the last one runs. */
export function* countRepeatedMail(
  sql: Sql,
  mail: CodeMail,
  now: number,
): Transaction<{ readonly answer: Attempt; readonly isSent: boolean }> {
  const paused = yield* countAttempt(sql, [mail.pause])
  if (!paused.ok) return { answer: { ok: true, now, counted: [] }, isSent: false }
  const counted = yield* countMail(sql, mail)
  if (!counted.ok) yield* forgive(sql, paused.counted)
  return { answer: counted, isSent: counted.ok }
}

/** `codes`: the codes with which the guess may be compared. */
type CountedGuess = Attempt & { readonly codes: readonly MailedCode[] }

/**
 * Counts a guess at the codes of all registrations of an address; returns those that it may be compared with. Where others
 * have used the limit up, the token of a registration still opens the attempts of its own code.
 */
export function* guessRegistration(sql: Sql, guess: CodeGuess): Transaction<CountedGuess> {
  yield* lockAddress(sql, guess.address)
  const counted = yield* countAttempt(sql, [guess.limit])
  if (!counted.ok && guess.tokens.length === 0) return { ...counted, codes: [] }
  const alive = yield* rows(
    sql.db
      .updateTable('registrations')
      .set((update) => ({ code_attempts: update('code_attempts', '+', 1) }))
      .where('address', '=', guess.address)
      .where('code_expires_at', '>', counted.now)
      .where('code_attempts', '<', GUESSES_PER_CODE)
      .$if(!counted.ok, (own) => own.where('token_hash', 'in', [...guess.tokens]))
      .returning(['uid', 'code_hash', 'code_master_key_id']),
  )
  const codes = alive.map(codeOf)
  return counted.ok || codes.length === 0
    ? { ...counted, codes }
    : { ok: true, now: counted.now, counted: [], codes }
}

/** Counts a guess at the reset codes of an address; returns the codes with which it may be compared. */
export function* guessReset(sql: Sql, guess: CodeGuess): Transaction<CountedGuess> {
  yield* lockAddress(sql, guess.address)
  const counted = yield* countAttempt(sql, [guess.limit])
  if (!counted.ok) return { ...counted, codes: [] }
  const accountId = yield* sql.addresses.accountIdOf(guess.address)
  const alive = yield* rows(
    sql.db
      .updateTable('password_resets')
      .set((update) => ({ code_attempts: update('code_attempts', '+', 1) }))
      .where('account_id', '=', accountId ?? NO_ACCOUNT)
      .where('code_expires_at', '>', counted.now)
      .returning(['uid', 'code_hash', 'code_master_key_id']),
  )
  return { ...counted, codes: alive.map(codeOf) }
}

interface CodeRow {
  readonly uid: string
  readonly code_hash: Uint8Array
  readonly code_master_key_id: string
}

const codeOf = ({ code_hash: hash, code_master_key_id: masterKeyId, uid }: CodeRow): MailedCode => ({
  uid,
  storedHash: { masterKeyId, hash },
})
