/** Switches the second factor on with a first TOTP code, and returns the recovery codes. */

import { secondFactorAlreadyOn, secondFactorChanged, secondFactorNotSetUp } from '../base/errors/accounts.ts'
import { Type } from '../base/type.ts'
import { forgive } from '../ledger/store/attempts.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { keepRecoveryCode, newRecoveryCodes } from '../secrets/codes.ts'
import type { Sealed } from '../secrets/vault.ts'
import { registeredAccount } from './account.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { type AccountChange, confirmChange, eventOf } from './context.ts'
import { listOf, mfaCode } from './fields.ts'
import { noticeMail } from './mail/messages.ts'
import { newMail } from './mail/outbox.ts'
import { checkFirstCode, type TotpStep } from './second-factor.ts'

export const mfaEnable = accountEndpoint({
  path: '/user/mfa/enable',
  area: 'Second factor',
  title: 'Switch the second factor on',
  summary:
    'Confirms the first code of the authenticator app and returns ten recovery codes. Each can be used once in place of a code. They are not shown again.',
  key: 'registered',
  input: Type.Object({ code: mfaCode }),
  output: Type.Object({ recovery_codes: listOf(Type.String(), 'ten recovery codes, each for one use') }),
  failures: ['mfa_invalid', 'conflict', 'too_many_attempts'],
  example: {
    input: { code: '492039' },
    output: {
      recovery_codes: [
        'Q4TZ-9WKM-2XHB',
        '7RNC-V5LD-J3YP',
        'M8FG-T2QA-6SEW',
        'B9XK-4HJU-R7ZD',
        'N3VP-C6MY-8LTQ',
        'W5EA-J2RG-4KXF',
        'H7DS-9BQN-U6CZ',
        'T4LM-P8VY-3WJE',
        'K6GX-R5FA-9HQB',
        'Z2UC-N7TD-M4SV',
      ],
    },
  },
  async handle(context, { caller, input, origin }) {
    const account = await registeredAccount(context, caller.accountId)
    if (account.totp?.enabled) throw secondFactorAlreadyOn()
    if (account.totp === null) throw secondFactorNotSetUp()
    const { counted, step } = await checkFirstCode(context, account, input.code)
    const codes = newRecoveryCodes()
    const enabled = await context.store.run(enableTotp, {
      accountId: account.accountId,
      secret: account.totp,
      step,
      counted,
      recoveryCodes: codes.map((code) => keepRecoveryCode(context.vault, account.uid, code)),
      event: eventOf(origin),
      mail: newMail(context, account.email, noticeMail('mfaEnabled', account)),
    })
    if (!enabled) throw secondFactorChanged()
    context.wakeSender()
    return { recovery_codes: codes }
  },
})

/** Enables the second factor. False: another secret was offered by now. */
export function* enableTotp(
  sql: Sql,
  change: AccountChange & TotpStep & { readonly secret: Sealed; readonly recoveryCodes: readonly Sealed[] },
): Transaction<boolean> {
  const { accountId, recoveryCodes: codes, secret, step } = change
  yield* sql.lock([accountId])
  const now = yield* sql.clock()
  const enabled = yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ totp_enabled_at: now, totp_last_step: step })
      .where('id', '=', accountId)
      .where('totp_enabled_at', 'is', null)
      .where('totp_sealed', '=', secret.sealed)
      .returning('id'),
  )
  if (enabled.length === 0) return false
  yield* rows(sql.db.deleteFrom('recovery_codes').where('account_id', '=', accountId))
  yield* rows(
    sql.db.insertInto('recovery_codes').values(
      codes.map(({ masterKeyId, sealed }) => ({
        account_id: accountId,
        master_key_id: masterKeyId,
        sealed,
      })),
    ),
  )
  yield* forgive(sql, change.counted)
  yield* confirmChange(sql, change, 'mfa_enabled')
  return true
}
