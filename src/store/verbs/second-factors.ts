/** Second factors: offered, switched on with a first code, used, switched off. */
import { rows, type Sql, type Transaction } from '../sql.ts'
import type { AccountChange, CountedAttempt, EventOrigin, Sealed, TotpStep } from '../store.ts'
import { forgive } from './attempts.ts'
import { writeEvent } from './events.ts'
import { queueMail } from './outbox.ts'

export function* offerTotp(
  sql: Sql,
  { accountId, event, secret }: { accountId: number; secret: Sealed; event: EventOrigin },
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

export function* enableTotp(
  sql: Sql,
  change: AccountChange & TotpStep & { secret: Sealed; recoveryCodes: readonly Sealed[] },
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
): Transaction<readonly (Sealed & { id: number })[]> {
  return yield* rows(
    sql.db
      .selectFrom('recovery_codes')
      .select(['id', 'master_key_id as masterKeyId', 'sealed'])
      .where('account_id', '=', accountId),
  )
}

export function* takeRecoveryCode(
  sql: Sql,
  used: { accountId: number; id: number; counted: readonly CountedAttempt[]; event: EventOrigin },
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
