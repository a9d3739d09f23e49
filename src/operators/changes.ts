/** Changes of an account by an operator. Each one that changes something is an event in the audit. */
import {
  isGuestAccount,
  noKeyToSuspend,
  noSuchAccount,
  type RegisteredOnly,
} from '../base/errors/operator.ts'
import { Failure } from '../base/failure.ts'
import type { Tier } from '../ledger/rules/tiers.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { type AdminChange, writeAdminEvent } from './audit-event.ts'

/** Whether anything had to be changed; a Failure: nothing was changed. */
type Change = Transaction<boolean | Failure>

/** Suspends the present key and the team keys, or lifts their suspension. A revoked key stays revoked. */
export function* setSuspended(
  sql: Sql,
  { accountId, event, suspended }: AdminChange & { readonly suspended: boolean },
): Change {
  yield* sql.lock([accountId])
  const key = yield* first(
    sql.db
      .selectFrom('accounts')
      .leftJoin('api_keys', (join) =>
        join
          .onRef('api_keys.account_id', '=', 'accounts.id')
          .on('api_keys.status', '<>', 'revoked')
          .on('api_keys.team_key_id', 'is', null),
      )
      .select(['api_keys.id', 'api_keys.status'])
      .where('accounts.id', '=', accountId)
      .where('accounts.deleted_at', 'is', null),
  )
  if (key === undefined) return noSuchAccount(accountId)
  if (key.id === null) return noKeyToSuspend()
  const status = suspended ? 'suspended' : 'active'
  if (key.status === status) return false
  const present = sql.db.updateTable('api_keys').set({ status }).where('account_id', '=', accountId)
  yield* rows(present.where('status', '<>', 'revoked'))
  yield* writeAdminEvent(sql, event, suspended ? 'key_suspended' : 'key_unsuspended', {
    accountId,
    keyId: key.id,
  })
  return true
}

export function* setTier(
  sql: Sql,
  { accountId, event, tier }: AdminChange & { readonly tier: Tier },
): Change {
  const account = yield* lockedAccount(sql, accountId, 'tier')
  if (account instanceof Failure) return account
  if (account.tier === tier) return false
  yield* rows(sql.db.updateTable('accounts').set({ tier }).where('id', '=', accountId))
  yield* writeAdminEvent(sql, event, 'tier_changed', { accountId, facts: { from: account.tier, to: tier } })
  return true
}

/**
 * Sets an account's own rate limits and its threshold of `credits.low`. Null: the values of its tier and of the plan apply;
 * undefined: no change.
 */
export function* setLimits(
  sql: Sql,
  {
    accountId,
    day,
    event,
    hour,
    lowCredits,
    work,
  }: AdminChange & Partial<Record<'hour' | 'day' | 'lowCredits' | 'work', number | null>>,
): Change {
  const account = yield* lockedAccount(sql, accountId, 'limits')
  if (account instanceof Failure) return account
  const from = {
    hour: account.hour_limit,
    day: account.day_limit,
    work: account.work_limit,
    low_credits: account.low_credits,
  }
  const to = {
    hour: hour === undefined ? from.hour : hour,
    day: day === undefined ? from.day : day,
    work: work === undefined ? from.work : work,
    low_credits: lowCredits === undefined ? from.low_credits : lowCredits,
  }
  if (Object.entries(from).every(([name, value]) => to[name as keyof typeof to] === value)) return false
  yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ hour_limit: to.hour, day_limit: to.day, work_limit: to.work, low_credits: to.low_credits })
      .where('id', '=', accountId),
  )
  yield* writeAdminEvent(sql, event, 'limits_changed', { accountId, facts: { from, to } })
  return true
}

/** Disables the second factor and deletes its secret and recovery codes. */
export function* resetSecondFactor(sql: Sql, { accountId, event }: AdminChange): Change {
  const account = yield* lockedAccount(sql, accountId, 'second_factor')
  if (account instanceof Failure) return account
  yield* rows(sql.db.deleteFrom('recovery_codes').where('account_id', '=', accountId))
  if (account.totp_sealed === null) return false
  yield* rows(
    sql.db
      .updateTable('accounts')
      .set({ totp_sealed: null, totp_master_key_id: null, totp_enabled_at: null, totp_last_step: null })
      .where('id', '=', accountId),
  )
  yield* writeAdminEvent(sql, event, 'mfa_reset', { accountId })
  return true
}

/** Locks an account for a change that only registered accounts take. */
function* lockedAccount(sql: Sql, accountId: number, change: RegisteredOnly) {
  yield* sql.lock([accountId])
  const account = yield* first(
    sql.db
      .selectFrom('accounts')
      .select(['tier', 'hour_limit', 'day_limit', 'work_limit', 'low_credits', 'totp_sealed'])
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null),
  )
  if (account === undefined) return noSuchAccount(accountId)
  return account.tier === 'guest' ? isGuestAccount(accountId, change) : account
}
