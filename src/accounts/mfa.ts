/** The endpoints of the second factor: its TOTP secret, the first code that switches it on, and the code that switches it off. */
import {
  secondFactorAlreadyOn,
  secondFactorChanged,
  secondFactorNotOn,
  secondFactorNotSetUp,
} from '../base/errors/accounts.ts'
import { Type } from '../base/type.ts'
import { forgive } from '../ledger/store/attempts.ts'
import { writeEvent } from '../ledger/store/events.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { keepRecoveryCode, newRecoveryCodes, newTotpSecret, otpauthUrl } from '../secrets/codes.ts'
import type { Sealed } from '../secrets/vault.ts'
import { registeredAccount } from './account.ts'
import {
  type AccountChange,
  accountEndpoint,
  confirmChange,
  eventOf,
  type OwnAct,
} from './account-endpoint.ts'
import { checkPassword } from './attempts.ts'
import { flag, listOf, mfaCode, password, text } from './field-schemas.ts'
import { noticeMail } from './mail/messages.ts'
import { newMail } from './mail/outbox.ts'
import { checkFirstCode, checkSecondFactor, sealTotpSecret, type TotpStep } from './second-factor.ts'

export const mfaSetup = accountEndpoint({
  path: '/user/mfa/setup',
  area: 'Second factor',
  title: 'Set up a second factor',
  summary:
    'Returns a secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). Confirm a first code with /user/mfa/enable to switch the second factor on.',
  key: 'registered',
  input: Type.Object({ password }),
  output: Type.Object({
    secret: text('the shared secret, base32'),
    otpauth_url: text('the same as an otpauth:// URL, for a QR code'),
  }),
  failures: ['invalid_credentials', 'conflict', 'too_many_attempts', 'overloaded'],
  example: {
    input: { password: 'correct horse battery staple' },
    output: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauth_url:
        'otpauth://totp/quantd:ada%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=quantd',
    },
  },
  async handle(context, { caller, input, origin }) {
    const { address } = await registeredAccount(context, caller.accountId)
    const account = await checkPassword(context, address, input.password, origin.subject)
    const { accountId, email } = account
    const secret = newTotpSecret()
    const sealed = sealTotpSecret(context, account, secret)
    const offered = await context.store.run(offerTotp, { accountId, secret: sealed, event: eventOf(origin) })
    if (!offered) {
      // Refuses a key whose account was deleted meanwhile.
      await registeredAccount(context, accountId)
      throw secondFactorAlreadyOn()
    }
    return { secret, otpauth_url: otpauthUrl({ issuer: context.issuer, account: email, secret }) }
  },
})

/** Stores a TOTP secret that awaits its first code. False: a second factor is enabled, or the account was deleted. */
export function* offerTotp(
  sql: Sql,
  { accountId, event, secret }: OwnAct & { readonly secret: Sealed },
): Transaction<boolean> {
  yield* sql.lock([accountId])
  const offered = yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ totp_sealed: secret.sealed, totp_master_key_id: secret.masterKeyId, totp_last_step: null })
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where('totp_enabled_at', 'is', null)
      .returning('id'),
  )
  if (offered.length === 0) return false
  const now = yield* sql.clock()
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name: 'mfa_offered' })
  return true
}

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
