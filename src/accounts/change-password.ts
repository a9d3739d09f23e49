/** The owner's new password: changed with the present one, or set by a code that was mailed to an owner who has forgotten it. */
import type { Static } from 'typebox'
import { passwordChanged, tooManyMails, wrongMailedCode } from '../base/errors/accounts.ts'
import { CODE_LIFETIME_MS } from '../base/limits/callers.ts'
import { Type } from '../base/type.ts'
import {
  type Attempt,
  type AttemptLimit,
  type CountedAttempt,
  type Counter,
  countAttempt,
  endCounters,
  forgive,
} from '../ledger/store/attempts.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Origin } from '../protocol/handler.ts'
import type { MailedCode } from '../secrets/codes.ts'
import { findAccount, registeredAccount } from './account.ts'
import {
  type AccountChange,
  type AccountContext,
  accountEndpoint,
  confirmChange,
  eventOf,
} from './account-endpoint.ts'
import { addressOf, lockAddress, oneSpelling, padResponseTime, subjectOf } from './address.ts'
import { allowed, checkPassword, liftedByReset, perIp } from './attempts.ts'
import { email, mfaCode, newPassword, notice, password, text } from './field-schemas.ts'
import { noticeMail, passwordResetMail } from './mail/messages.ts'
import { newMail, queueMail } from './mail/outbox.ts'
import { type CodeMail, checkMailedCode, codeMail, countRepeatedMail, newCode } from './mailed-codes.ts'
import { checkSecondFactor } from './second-factor.ts'

const PASSWORD_CHANGED = 'The password was changed.'

export const changePassword = accountEndpoint({
  path: '/user/change-password',
  area: 'Accounts',
  title: 'Change the password',
  summary:
    'Sets a new password. The current password is required and, if the second factor is on, `mfa_code`.',
  key: 'registered',
  input: Type.Object({ password, new_password: newPassword, mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({ message: notice }),
  failures: [
    'invalid_credentials',
    'mfa_required',
    'mfa_invalid',
    'conflict',
    'too_many_attempts',
    'overloaded',
  ],
  example: {
    input: { password: 'correct horse battery staple', new_password: 'another horse battery staple' },
    output: { message: PASSWORD_CHANGED },
  },
  async handle(context, { caller, input, origin }) {
    const { address } = await registeredAccount(context, caller.accountId)
    const account = await checkPassword(context, address, input.password, origin.subject)
    const passwordHash = await context.passwords.hash(input.new_password, '/new_password')
    await checkSecondFactor(context, account, input.mfa_code, origin)
    const changed = await context.store.run(replacePassword, {
      accountId: account.accountId,
      oldHash: account.passwordHash,
      passwordHash,
      event: eventOf(origin),
      mail: newMail(context, account.email, noticeMail('passwordChanged', account)),
    })
    if (!changed) throw passwordChanged()
    context.wakeSender()
    return { message: PASSWORD_CHANGED }
  },
})

/** Replaces the password whose hash is `oldHash`. False: the account has another password by now. */
export function* replacePassword(
  sql: Sql,
  change: AccountChange & { readonly oldHash: string; readonly passwordHash: string },
): Transaction<boolean> {
  const { accountId, oldHash, passwordHash } = change
  yield* sql.lock([accountId])
  const changed = yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ password_hash: passwordHash })
      .where('id', '=', accountId)
      .where('password_hash', '=', oldHash)
      .returning('id'),
  )
  if (changed.length === 0) return false
  // Otherwise a reset code that was mailed before could undo this change.
  yield* rows(sql.db.deleteFrom('password_resets').where('account_id', '=', accountId))
  yield* confirmChange(sql, change, 'password_changed')
  return true
}

const RESET_CODE_SENT = 'If this address has an account, a reset code has been sent to it.'

export const forgotPassword = accountEndpoint({
  path: '/user/forgot-password',
  area: 'Accounts',
  title: 'Forgot password',
  summary:
    'Sends a reset code to the address if it has an account. The reply does not tell whether it has one.',
  key: 'none',
  perIp: perIp.mails,
  input: Type.Object({ email }),
  output: Type.Object({ email: text('the address'), message: notice }),
  failures: ['too_many_attempts'],
  example: {
    input: { email: 'ada@example.org' },
    output: { email: 'ada@example.org', message: RESET_CODE_SENT },
  },
  async handle(context, { input, origin }) {
    await padResponseTime(() => sendCode(context, input.email, origin))
    return { email: input.email, message: RESET_CODE_SENT }
  },
})

/** Without an account a decoy mail is written, so that the work is the same. */
async function sendCode(context: AccountContext, email: string, origin: Origin): Promise<void> {
  const address = addressOf(email)
  const account = await context.store.run(findAccount, { address })
  const { code, stored } = newCode(context, 'reset')
  const text = passwordResetMail({ username: account?.username ?? '', code })
  const recipient = { address, email: account?.email ?? oneSpelling(email), isDecoy: account === null }
  const counted = await context.store.run(requestReset, {
    address,
    accountId: account?.accountId ?? null,
    code: stored,
    ...codeMail(context, 'reset', recipient, text, origin),
  })
  allowed(counted, tooManyMails)
  context.wakeSender()
}

interface NewReset extends CodeMail {
  readonly address: string
  /** Null: no account has the address, and `mail` is for a decoy recipient. */
  readonly accountId: number | null
  readonly code: MailedCode
}

/**
 * Stores a reset code and queues its mail, unless the last code is too recent or the limit on mails is reached. An unknown
 * address costs the same work and counts alike.
 */
export function* requestReset(sql: Sql, reset: NewReset): Transaction<Attempt> {
  const { accountId, address, code, mail, pause } = reset
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  if ((yield* sql.addresses.accountIdOf(address)) !== accountId) return { ok: true, now, counted: [] }
  const { answer, isSent } = yield* countRepeatedMail(sql, reset, now)
  if (!isSent) return answer
  yield* queueMail(sql, mail, now)
  if (accountId === null) {
    // Only an account can have the row of a code; without one, another row is written, so that the work is the same.
    const { scope, subject } = pause
    const once = { scope: `${scope}, ${code.uid}`, subject, limit: 1, windowMs: CODE_LIFETIME_MS }
    yield* countAttempt(sql, [once])
    return answer
  }
  const columns = {
    uid: code.uid,
    code_hash: code.storedHash.hash,
    code_master_key_id: code.storedHash.masterKeyId,
    code_sent_at: now,
    code_expires_at: now + CODE_LIFETIME_MS,
    code_attempts: 0,
  }
  yield* rows(
    sql.db
      .insertInto('password_resets')
      .values({ account_id: accountId, ...columns })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns)),
  )
  return answer
}

const PASSWORD_RESET = 'The password was changed. Log in with the new one.'

const resetCode = Type.String({
  description: 'the reset code from the mail: 12 characters',
  minLength: 1,
  maxLength: 64,
})

const input = Type.Object({ email, otp: resetCode, password: newPassword })

export const resetPassword = accountEndpoint({
  path: '/user/reset-password',
  area: 'Accounts',
  title: 'Reset the password',
  summary:
    'Sets a new password with the mailed code. The API key does not change. From this client address, guesses at the password from elsewhere no longer stop logins.',
  key: 'none',
  perIp: perIp.guesses,
  input,
  output: Type.Object({ message: notice }),
  failures: ['otp_invalid', 'too_many_attempts', 'overloaded'],
  example: {
    input: { email: 'ada@example.org', otp: 'K7QW2M4XR5TA', password: 'another horse battery staple' },
    output: { message: PASSWORD_RESET },
  },
  async handle(context, { input, origin }) {
    await padResponseTime(() => reset(context, input, origin))
    return { message: PASSWORD_RESET }
  },
})

async function reset(
  context: AccountContext,
  { email, otp, password }: Static<typeof input>,
  origin: Origin,
): Promise<void> {
  const { passwords, store } = context
  const address = addressOf(email)
  const { code, counted } = await checkMailedCode(context, 'reset', { address, typed: otp, origin })
  const account = await store.run(findAccount, { address })
  if (account === null) throw wrongMailedCode()
  const username = account.username ?? ''
  const done = await store.run(finishReset, {
    accountId: account.accountId,
    code,
    passwordHash: await passwords.hash(password),
    counted,
    ...liftedByReset(subjectOf(context.vault, address), origin.subject),
    event: eventOf(origin),
    mail: newMail(context, account.email ?? email, noticeMail('passwordChanged', { username })),
  })
  if (!done) throw wrongMailedCode()
  context.wakeSender()
}

/** Sets the password with a reset code that was right, and ends and starts counters. False: the code was used before. */
export function* finishReset(
  sql: Sql,
  change: AccountChange & {
    readonly code: MailedCode
    readonly passwordHash: string
    readonly counted: readonly CountedAttempt[]
    readonly ended: readonly Counter[]
    readonly started: AttemptLimit
  },
): Transaction<boolean> {
  const { accountId, code, ended, passwordHash, started } = change
  yield* sql.lock([accountId])
  const used = yield* rows(
    sql.db
      .deleteFrom('password_resets')
      .where('account_id', '=', accountId)
      .where('uid', '=', code.uid)
      .returning('account_id'),
  )
  if (used.length === 0) return false
  yield* rows(sql.db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', accountId))
  yield* forgive(sql, change.counted)
  yield* endCounters(sql, [...ended, started])
  yield* countAttempt(sql, [started])
  yield* confirmChange(sql, change, 'password_reset')
  return true
}
