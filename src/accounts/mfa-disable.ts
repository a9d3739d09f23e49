/** Switches the second factor off with one of its codes. */

import { secondFactorNotOn } from '../base/errors/accounts.ts'
import { Type } from '../base/type.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { registeredAccount } from './account.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { type AccountChange, confirmChange, eventOf } from './context.ts'
import { flag, mfaCode } from './fields.ts'
import { noticeMail } from './mail/messages.ts'
import { newMail } from './mail/outbox.ts'
import { checkSecondFactor } from './second-factor.ts'

export const mfaDisable = accountEndpoint({
  path: '/user/mfa/disable',
  area: 'Second factor',
  title: 'Switch the second factor off',
  summary: 'Switches the second factor off. Requires a code of the authenticator app or a recovery code.',
  key: 'registered',
  input: Type.Object({ code: mfaCode }),
  output: Type.Object({ mfa_enabled: flag('always false') }),
  failures: ['mfa_invalid', 'conflict', 'too_many_attempts'],
  example: { input: { code: '492039' }, output: { mfa_enabled: false } },
  async handle(context, { caller, input, origin }) {
    const account = await registeredAccount(context, caller.accountId)
    if (!account.totp?.enabled) throw secondFactorNotOn()
    await checkSecondFactor(context, account, input.code, origin)
    const { accountId, email } = account
    const mail = newMail(context, email, noticeMail('mfaDisabled', account))
    if (!(await context.store.run(disableTotp, { accountId, event: eventOf(origin), mail })))
      throw secondFactorNotOn()
    context.wakeSender()
    return { mfa_enabled: false }
  },
})

/** Disables the second factor and deletes its secret and recovery codes. False: it was not enabled. */
export function* disableTotp(sql: Sql, change: AccountChange): Transaction<boolean> {
  const { accountId } = change
  yield* sql.lock([accountId])
  const disabled = yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ totp_sealed: null, totp_master_key_id: null, totp_enabled_at: null, totp_last_step: null })
      .where('id', '=', accountId)
      .where('totp_enabled_at', 'is not', null)
      .returning('id'),
  )
  if (disabled.length === 0) return false
  yield* rows(sql.db.deleteFrom('recovery_codes').where('account_id', '=', accountId))
  yield* confirmChange(sql, change, 'mfa_disabled')
  return true
}
