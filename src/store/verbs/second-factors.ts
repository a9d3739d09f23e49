/** Second factors: offered, enabled with a first code, used, disabled. */
import { rows, type Sql, type Transaction } from '../sql.ts'
import type { AccountChange, EventOrigin } from '../types/account-changes.ts'
import type { CountedAttempt } from '../types/attempts.ts'
import type { Sealed } from '../types/secrets.ts'
import { forgive } from './attempts.ts'
import { writeEvent } from './events.ts'
import { queueMail } from './outbox.ts'

/** The time step at which a TOTP code was right. */
export interface TotpStep {
  readonly accountId: number
  readonly step: number
  readonly counted: readonly CountedAttempt[]
}

/** Stores a TOTP secret that awaits its first code. False: a second factor is enabled. */
export function* offerTotp(
  sql: Sql,
  {
    accountId,
    event,
    secret,
  }: { readonly accountId: number; readonly secret: Sealed; readonly event: EventOrigin },
): Transaction<boolean> {
  yield* sql.lock([accountId])
  const offered = yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ totp_sealed: secret.sealed, totp_master_key_id: secret.masterKeyId, totp_last_step: null })
      .where('id', '=', accountId)
      .where('totp_enabled_at', 'is', null)
      .returning('id'),
  )
  if (offered.length === 0) return false
  const now = yield* sql.clock()
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name: 'mfa_offered' })
  return true
}

/** Enables the second factor. False: the offered secret is not this one any more. */
export function* enableTotp(
  sql: Sql,
  change: AccountChange & TotpStep & { readonly secret: Sealed; readonly recoveryCodes: readonly Sealed[] },
): Transaction<boolean> {
  const { accountId, event, mail, recoveryCodes: codes, secret, step } = change
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
  yield* queueMail(sql, mail, now)
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name: 'mfa_enabled' })
  return true
}

/** Uses a time step up. False: it, or a later one, was used before. */
export function* takeTotpStep(sql: Sql, { accountId, counted, step }: TotpStep): Transaction<boolean> {
  yield* sql.lock([accountId])
  const taken = yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ totp_last_step: step })
      .where('id', '=', accountId)
      .where('totp_enabled_at', 'is not', null)
      .where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]))
      .returning('id'),
  )
  if (taken.length === 0) return false
  yield* forgive(sql, counted)
  return true
}

export function* recoveryCodes(
  sql: Sql,
  accountId: number,
): Transaction<readonly (Sealed & { readonly id: number })[]> {
  return yield* rows(
    sql.db
      .selectFrom('recovery_codes')
      .select(['id', 'master_key_id as masterKeyId', 'sealed'])
      .where('account_id', '=', accountId),
  )
}

/** Uses a recovery code up. False: it was used before. */
export function* takeRecoveryCode(
  sql: Sql,
  used: {
    readonly accountId: number
    readonly id: number
    readonly counted: readonly CountedAttempt[]
    readonly event: EventOrigin
  },
): Transaction<boolean> {
  const { accountId, counted, event, id } = used
  const taken = yield* rows(
    sql.db
      .deleteFrom('recovery_codes')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning('id'),
  )
  if (taken.length === 0) return false
  yield* forgive(sql, counted)
  const now = yield* sql.clock()
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name: 'recovery_code_used' })
  return true
}

/** Disables the second factor and deletes its secret and recovery codes. False: it was not enabled. */
export function* disableTotp(sql: Sql, { accountId, event, mail }: AccountChange): Transaction<boolean> {
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
  const now = yield* sql.clock()
  yield* queueMail(sql, mail, now)
  yield* writeEvent(sql, event, { at: now, accountId, keyId: null, name: 'mfa_disabled' })
  return true
}
