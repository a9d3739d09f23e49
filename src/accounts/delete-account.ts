/** Deletes the account of the caller, given the password and, if it is on, the second factor. */
import { passwordChanged } from '../base/errors/accounts.ts'
import { Type } from '../base/type.ts'
import type { Sql, Transaction } from '../ledger/store/sql.ts'
import { registeredAccount } from './account.ts'
import { type AccountChange, accountEndpoint, confirmChange, eventOf } from './account-endpoint.ts'
import { eraseAccount, eraseRemains } from './erase.ts'
import { mfaCode, notice, password } from './field-schemas.ts'
import { noticeMail } from './mail/messages.ts'
import { newMail } from './mail/outbox.ts'
import { checkPassword } from './password-check.ts'
import { checkSecondFactor } from './second-factor.ts'

const DELETED = 'The account was deleted.'

export const deleteAccount = accountEndpoint({
  path: '/user/delete',
  area: 'Accounts',
  title: 'Delete the account',
  summary:
    'Deletes the account at once and for good. Its keys are refused, its credits expire, and its address, names, devices, client addresses and secrets are erased. Its calls and movements of credits stay without its owner, so that the ledger adds up. The password is required and, if the second factor is on, `mfa_code`.',
  key: 'registered',
  input: Type.Object({ password, mfa_code: Type.Optional(mfaCode) }),
  output: Type.Object({ message: notice }),
  failures: [
    'invalid_credentials',
    'mfa_required',
    'mfa_invalid',
    'conflict',
    'too_many_attempts',
    'overloaded',
  ],
  example: { input: { password: 'correct horse battery staple' }, output: { message: DELETED } },
  async handle(context, { caller, input, origin }) {
    const { address } = await registeredAccount(context, caller.accountId)
    const account = await checkPassword(context, address, input.password, origin.subject)
    await checkSecondFactor(context, account, input.mfa_code, origin)
    const { accountId, passwordHash } = account
    const mail = newMail(context, account.email, noticeMail('accountDeleted', account))
    const event = { ...eventOf(origin), ip: '' }
    if (!(await context.store.run(deleteOwn, { accountId, passwordHash, event, mail })))
      throw passwordChanged()
    context.wakeSender()
    await eraseRemains(context.store, accountId)
    return { message: DELETED }
  },
})

/** Deletes the account if its password has this hash, and confirms it by mail. False: the account has another password by now. */
export function* deleteOwn(
  sql: Sql,
  change: AccountChange & { readonly passwordHash: string },
): Transaction<boolean> {
  if ((yield* eraseAccount(sql, change)) === null) return false
  yield* confirmChange(sql, change, 'account_deleted')
  return true
}
