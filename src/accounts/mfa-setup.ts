/** Creates the TOTP secret of a second factor, which a first code then switches on. */

import { secondFactorAlreadyOn } from '../base/errors/accounts.ts'
import { Type } from '../base/type.ts'
import { writeEvent } from '../ledger/store/audit.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { newTotpSecret, otpauthUrl } from '../secrets/totp.ts'
import type { Sealed } from '../secrets/vault.ts'
import { registeredAccount } from './account.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { eventOf, type OwnAct } from './context.ts'
import { password, text } from './fields.ts'
import { checkPassword } from './password-check.ts'
import { sealTotpSecret } from './second-factor.ts'

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
