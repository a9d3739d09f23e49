/** One-time codes sent by mail: one confirms a registration, the other resets a password. */
import { Failure } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { decoyRecipient } from '../mail/decoy.ts'
import type { MailText } from '../mail/messages.ts'
import type { Origin } from '../pipeline/handler.ts'
import { oneTimeCode, resetCode } from '../secrets/codes.ts'
import type { CodeMail, CountedAttempt, MailedCode, Store } from '../store/store.ts'
import { mailboxSubjectOf, subjectOf } from './address.ts'
import { type AccountContext, newMail } from './context.ts'
import {
  ATTEMPTS_PER_CODE,
  allowed,
  CODE_LIFETIME_MS,
  mailLimits,
  mailPause,
  registrationCodeLimit,
  resetCodeLimit,
} from './limits.ts'

export type CodePurpose = 'registration' | 'reset'

/** The reply of every endpoint that sends a registration code, whether or not the address is known. */
export const CODE_SENT = 'A code has been sent to this address. It is valid for 10 minutes.'

const CODES = {
  registration: {
    form: oneTimeCode,
    guess: (store: Store) => store.guessRegistration,
    limit: registrationCodeLimit,
    attemptsPerCode: ATTEMPTS_PER_CODE,
  },
  reset: {
    form: resetCode,
    guess: (store: Store) => store.guessReset,
    limit: resetCodeLimit,
    attemptsPerCode: null,
  },
}

/** A new code and its keyed hash; `uid` is the row that the code belongs to. */
export function newCode({ vault }: AccountContext, purpose: CodePurpose, uid = uuidv7()) {
  const { form } = CODES[purpose]
  const code = form.make()
  return { code, stored: { uid, kept: form.keep(vault, uid, code) } }
}

interface Recipient {
  readonly address: string
  readonly email: string
  /** Whether the mail is written only so that the work is the same. */
  readonly isDecoy: boolean
}

/** The mail of a code, how many of its kind may be sent, and how long the code is valid. */
export const codeMail = (
  context: AccountContext,
  purpose: CodePurpose,
  { address, email, isDecoy }: Recipient,
  text: MailText,
  { subject }: Origin,
): CodeMail => ({
  mail: newMail(context, isDecoy ? decoyRecipient(email) : email, text),
  mailLimits: mailLimits(purpose, mailboxSubjectOf(context.vault, address), subject),
  pause: mailPause(purpose, subjectOf(context.vault, address)),
  lifetimeMs: CODE_LIFETIME_MS,
})

/** Keyed hashes of a registration's token, one per master key; none: no token was sent. */
export const tokenHashes = ({ vault }: AccountContext, token: string | undefined): readonly Buffer[] =>
  token === undefined ? [] : vault.macs('registration', token).map(({ hash }) => hash)

export interface RightCode {
  readonly code: MailedCode
  readonly counted: readonly CountedAttempt[]
}

/** Counts the guess before it is compared. Throws Failure `otp_invalid` or `too_many_attempts`. */
export async function checkMailedCode(
  { store, vault }: AccountContext,
  purpose: CodePurpose,
  address: string,
  typed: string,
  origin: Origin,
): Promise<RightCode> {
  const { attemptsPerCode, form, guess, limit: limitOf } = CODES[purpose]
  const limit = limitOf(subjectOf(vault, address), origin.subject)
  const { codes, counted } = allowed(await guess(store)({ address, limit, attemptsPerCode }))
  // Compares all codes, so that the time does not depend on which one matches.
  const [code] = codes.filter(({ kept, uid }) => form.matches(vault, uid, kept, typed))
  if (code === undefined) throw wrongCode()
  return { code, counted }
}

/** The same failure for wrong, used and expired codes. */
export const wrongCode = () =>
  new Failure('otp_invalid', 'The code is wrong, already used or expired; request a new one.')
