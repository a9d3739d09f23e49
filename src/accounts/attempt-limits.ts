/** The counters of attempts: per client address and per e-mail address. */
import { tooManyWrongAttempts } from '../base/errors/accounts.ts'
import { type Failure, retryAfterSeconds } from '../base/failure.ts'
import {
  GUESSES_PER_CLIENT,
  GUESTS_PER_CLIENT,
  KEY_NOTICES,
  MAIL_PAUSE_MS,
  MAIL_REQUESTS_PER_CLIENT,
  MAIL_RESERVE,
  MAILS,
  MAILS_PER_CLIENT,
  OWNERS_CLIENT_MS,
  WRONG_CODES,
  WRONG_PASSWORDS,
  WRONG_PASSWORDS_PER_CLIENT,
  WRONG_SECOND_FACTORS,
} from '../base/limits/callers.ts'
import type { Attempt, AttemptLimit } from '../ledger/store/attempts.ts'
import type { IpLimit } from '../protocol/handler.ts'

export const perIp = {
  guest: { scope: 'ip guest', ...GUESTS_PER_CLIENT },
  /** One counter for registrations and the other endpoints that send mail to an address in the request. */
  mails: { scope: 'ip mails', ...MAIL_REQUESTS_PER_CLIENT },
  /** One counter for logins and mailed codes. */
  guesses: { scope: 'ip guesses', ...GUESSES_PER_CLIENT },
} satisfies Record<string, IpLimit>

/** Wrong guesses at all codes of an address that confirm registrations. */
export const registrationCodeLimit = (subject: string): AttemptLimit => ({
  scope: 'mailed code',
  subject,
  ...WRONG_CODES,
})

/**
 * Wrong guesses at the reset codes of an address, from one client address. Codes of 60 bits need no limit over all clients;
 * such a limit would let strangers who have locked the owner out of logins block the reset, too.
 */
export const resetCodeLimit = (subject: string, client: string): AttemptLimit => ({
  scope: 'reset code from',
  subject: `${subject} ${client}`,
  ...WRONG_CODES,
})

const passwordLimitFrom = (subject: string, client: string): AttemptLimit => ({
  scope: 'password from',
  subject: `${subject} ${client}`,
  ...WRONG_PASSWORDS_PER_CLIENT,
})

/** A counter that runs for a client address from which the password was reset. */
const ownersClient = (subject: string, client: string): AttemptLimit => ({
  scope: "owner's client",
  subject: `${subject} ${client}`,
  limit: Number.MAX_SAFE_INTEGER,
  windowMs: OWNERS_CLIENT_MS,
})

/**
 * Wrong passwords of an address, from one client address and from all. A client address from which the owner has reset the
 * password is exempt from the limit over all, so that guesses from elsewhere cannot lock the owner out.
 */
export const passwordLimits = (subject: string, client: string): AttemptLimit[] => [
  passwordLimitFrom(subject, client),
  { scope: 'password', subject, ...WRONG_PASSWORDS, unless: ownersClient(subject, client) },
]

/** The counters that a password reset ends, and the one that it starts. */
export const liftedByReset = (subject: string, client: string) => ({
  ended: [passwordLimitFrom(subject, client)],
  started: ownersClient(subject, client),
})

export const totpLimit = (subject: string): AttemptLimit => ({
  scope: 'second factor',
  subject,
  ...WRONG_SECOND_FACTORS,
})

/** Wrong recovery codes from one client address. As there is no limit over all, a thief cannot lock the owner out. */
export const recoveryCodeLimit = (subject: string, client: string): AttemptLimit => ({
  scope: 'recovery code from',
  subject: `${subject} ${client}`,
  ...WRONG_SECOND_FACTORS,
})

type MailPurpose = 'registration' | 'reset'

const mailsFrom = (purpose: MailPurpose, mailbox: string, client: string): AttemptLimit => ({
  scope: `${purpose} mail from`,
  subject: `${mailbox} ${client}`,
  ...MAILS_PER_CLIENT,
})

/** Mails to a mailbox: one limit for each client address, and one for all, which no single client can use up. */
export const mailLimits = (purpose: MailPurpose, mailbox: string, client: string): AttemptLimit[] => [
  mailsFrom(purpose, mailbox, client),
  { scope: `${purpose} mail`, subject: mailbox, ...MAILS },
]

/**
 * Mails to a mailbox beyond `mailLimits`: one for each client that caused none within the hour. So clients that use up the
 * limit for all cannot keep codes from an owner with another client address.
 */
export const mailReserve = (purpose: MailPurpose, mailbox: string, client: string): AttemptLimit[] => [
  { ...mailsFrom(purpose, mailbox, client), limit: 1 },
  { scope: `${purpose} mail reserve`, subject: mailbox, ...MAIL_RESERVE },
]

/** For a minute after a code was mailed to an address, no other code is, except for a new registration. */
export const mailPause = (purpose: MailPurpose, subject: string): AttemptLimit => ({
  scope: `${purpose} pause`,
  subject,
  limit: 1,
  windowMs: MAIL_PAUSE_MS,
})

/** Notices of a new key to one account. */
export const keyNoticeLimit = (subject: string): AttemptLimit => ({
  scope: 'key notice',
  subject,
  ...KEY_NOTICES,
})

/** Throws Failure `too_many_attempts` if the attempt was refused. */
export function allowed<A extends Attempt>(
  attempt: A,
  refusal: (seconds: number) => Failure = tooManyWrongAttempts,
): A & { ok: true } {
  if (attempt.ok) return attempt as A & { ok: true }
  throw refusal(retryAfterSeconds(attempt.retryAt, attempt.now))
}
