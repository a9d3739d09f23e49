/** Sets a new password, given the current one and, if it is on, the second factor. */

import { passwordChanged } from '../base/errors/accounts.ts'
import { Type } from '../base/type.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { registeredAccount } from './account.ts'
import { type AccountChange, accountEndpoint, confirmChange, eventOf } from './account-endpoint.ts'
import { mfaCode, newPassword, notice, password } from './field-schemas.ts'
import { noticeMail } from './mail/messages.ts'
import { newMail } from './mail/outbox.ts'
import { checkPassword } from './password-check.ts'
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
