/** Attempts: their counters per client address and e-mail address, and the record of those that failed. */
import { sql as raw } from 'kysely'
import { type KeyedQueue, keyedQueue } from '../base/bounded-queue.ts'
import { tooManyWrongAttempts, wrongPassword } from '../base/errors/accounts.ts'
import { tooManyLogins } from '../base/errors/requests.ts'
import { Failure, type FailureCode, retryAfterSeconds } from '../base/failure.ts'
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
import { MINUTE_MS } from '../base/time.ts'
import { type Attempt, type AttemptLimit, countAttempt, forgive } from '../ledger/store/attempts.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { AccountRequest, IpLimit } from '../protocol/handler.ts'
import { findAccount, isRegistered, type RegisteredAccount } from './account.ts'
import type { AccountContext } from './account-endpoint.ts'
import { addressOf, subjectOf } from './address.ts'

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
const passwordLimits = (subject: string, client: string): AttemptLimit[] => [
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

/** Codes of failures by a client that could not prove its identity. */
const FAILED: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'invalid_credentials',
  'otp_invalid',
  'mfa_required',
  'mfa_invalid',
  'key_suspended',
  'too_many_attempts',
])

/**
 * Handles a request, and records it if it failed. With a key, the request has an audit row of its own. Without one, the
 * audit counts per address, client address, endpoint, code and minute, so that guessing cannot flood it; the log gets one
 * line for each such count, with no address in clear.
 */
export async function recordingFailures<Result>(
  context: AccountContext,
  request: AccountRequest,
  handle: () => Promise<Result>,
): Promise<Result> {
  try {
    return await handle()
  } catch (error) {
    if (error instanceof Failure && FAILED.has(error.code)) await record(context, request, error.code)
    throw error
  }
}

async function record(
  { log, store, vault }: AccountContext,
  { caller, input, origin }: AccountRequest,
  code: FailureCode,
): Promise<void> {
  const { ip, path, requestId } = origin
  const facts = { code, path, ip, requestId }
  if (caller !== null) return log.info({ ...facts, accountId: caller.accountId }, 'failed attempt')
  const { email } = input as { email?: string }
  if (email === undefined) return
  const address = addressOf(email)
  const subject = subjectOf(vault, address)
  try {
    const { accountId, count } = await store.run(countFailedAttempt, { address, subject, ip, path, code })
    if (count === 1) log.info({ ...facts, accountId, subject }, 'failed attempt')
  } catch (error) {
    // An error here must not change the reply.
    log.warn({ ...facts, err: error }, 'a failed attempt was not recorded')
  }
}

interface FailedAttempt {
  readonly address: string
  /** The address's keyed hash, so that the audit does not show addresses that have no account. */
  readonly subject: string
  readonly ip: string
  readonly path: string
  readonly code: string
}

/** Counts a failed attempt; returns its account, if the address has one, and its count in this minute. */
export function* countFailedAttempt(
  sql: Sql,
  { address, code, ip, path, subject }: FailedAttempt,
): Transaction<{ accountId: number | null; count: number }> {
  const now = yield* sql.clock()
  const accountId = yield* sql.addresses.accountIdOf(address)
  const row = { subject, ip, path, code, minute: now - (now % MINUTE_MS), account_id: accountId, count: 1 }
  const counted = yield* first(
    sql.db
      .insertInto('failed_attempts')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['minute', 'subject', 'ip', 'path', 'code'])
          .doUpdateSet({ count: raw<number>`failed_attempts.count + 1` }),
      )
      .returning('count'),
  )
  return { accountId, count: counted!.count }
}

/** Serializes the checks of one address, so that simultaneous logins are not counted as guesses. */
export const openPasswordQueue = (): KeyedQueue =>
  keyedQueue({ concurrent: 1, waiting: 256, onFull: tooManyLogins })

/**
 * Returns the account of this address if the password is right. Unknown addresses cost the same work.
 * Throws Failure `invalid_credentials`, `too_many_attempts` or `overloaded`.
 */
export async function checkPassword(
  { passwordQueue, passwords, store, vault }: AccountContext,
  address: string,
  password: string,
  client: string,
): Promise<RegisteredAccount> {
  const subject = subjectOf(vault, address)
  return await passwordQueue(subject, async () => {
    const { counted } = allowed(await store.run(countAttempt, passwordLimits(subject, client)))
    const account = await store.run(findAccount, { address })
    const hash = isRegistered(account) ? account.passwordHash : null
    const right = await passwords.verify(hash, password).catch(async (error) => {
      await store.run(forgive, counted)
      throw error
    })
    if (!right) throw wrongPassword()
    await store.run(forgive, counted)
    return account as RegisteredAccount
  })
}
