/** One-time codes sent by mail: one confirms a registration, the other resets a password. */
import { Failure } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import type { MailText } from '../mail/messages.ts'
import { oneTimeCode, resetCode } from '../secrets/codes.ts'
import type { CountedAttempt, MailedCode, Store } from '../store/store.ts'
import { subjectOf } from './address.ts'
import { type AccountContext, newMail } from './context.ts'
import { ATTEMPTS_PER_CODE, allowed, codeLimit, codeTerms, mailLimit } from './limits.ts'

export type CodePurpose = 'registration' | 'reset'

/** The reply of every endpoint that sends a registration code, whether or not the address is known. */
export const CODE_SENT = 'A code has been sent to this address. It is valid for 10 minutes.'

const CODES = {
  registration: { form: oneTimeCode, guess: (store: Store) => store.guessRegistration },
  reset: { form: resetCode, guess: (store: Store) => store.guessReset },
}

/** A new code and its keyed hash; `uid` is the row that the code belongs to. */
export function newCode({ vault }: AccountContext, purpose: CodePurpose, uid = uuidv7()) {
  const { form } = CODES[purpose]
  const code = form.make()
  return { code, stored: { uid, kept: form.keep(vault, uid, code) } }
}

/** The mail of a code, how many of its kind may be sent, and how long the code is valid. */
export const codeMail = (
  context: AccountContext,
  purpose: CodePurpose,
  recipient: { readonly address: string; readonly email: string },
  text: MailText,
) => ({
  mail: newMail(context, recipient.email, text),
  mailLimit: mailLimit(purpose, subjectOf(context.vault, recipient.address)),
  terms: codeTerms,
})

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
): Promise<RightCode> {
  const { form, guess } = CODES[purpose]
  const limit = codeLimit(subjectOf(vault, address))
  const { codes, counted } = allowed(
    await guess(store)({ address, limit, attemptsPerCode: ATTEMPTS_PER_CODE }),
  )
  // Compares all codes, so that the time does not depend on which one matches.
  const [code] = codes.filter(({ kept, uid }) => form.matches(vault, uid, kept, typed))
  if (code === undefined) throw wrongCode()
  return { code, counted }
}

/** The same failure for wrong, used and expired codes. */
export const wrongCode = () =>
  new Failure('otp_invalid', 'The code is wrong, already used or expired; request a new one.')
