/** Sets a new password with the mailed reset code. */

import type { Static } from 'typebox'
import { wrongMailedCode } from '../base/errors/accounts.ts'
import { Type } from '../base/type.ts'
import {
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
import { findAccount } from './account.ts'
import {
  type AccountChange,
  type AccountContext,
  accountEndpoint,
  confirmChange,
  eventOf,
} from './account-endpoint.ts'
import { addressOf, padResponseTime, subjectOf } from './address.ts'
import { liftedByReset, perIp } from './attempts.ts'
import { email, newPassword, notice } from './field-schemas.ts'
import { noticeMail } from './mail/messages.ts'
import { newMail } from './mail/outbox.ts'
import { checkMailedCode } from './mailed-codes.ts'

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
