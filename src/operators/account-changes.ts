/**
 * Changes of an account by an operator, from its creation to its deletion. Each one that changes something is an event in the audit.
 */

import { randomBytes } from 'node:crypto'
import { findAccount, isRegistered } from '../accounts/account.ts'
import { addressOf, lockAddress, oneSpelling } from '../accounts/address.ts'
import { eraseAccount } from '../accounts/delete-account.ts'
import { type Owner, openAccount, succeedKey } from '../accounts/open-account.ts'
import {
  isGuestAccount,
  noKeyToSuspend,
  noOwnKeyToReplace,
  noSuchAccount,
  type RegisteredOnly,
} from '../base/errors/operator.ts'
import { Failure, succeeded } from '../base/failure.ts'
import { uuidv7 } from '../base/ids.ts'
import { USERNAME_CHARACTERS } from '../base/limits/callers.ts'
import type { Tier } from '../ledger/rules/tiers.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'
import { type StoredKey, sealKey } from '../secrets/keys.ts'
import type { Vault } from '../secrets/vault.ts'
import { type AdminChange, type AdminEvent, writeAdminEvent } from './audit-event.ts'

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

interface NewAccount extends Owner {
  readonly uid: string
  readonly tier: Tier
  readonly credits: number
  readonly key: StoredKey
  readonly event: AdminEvent
}

/** The properties of a new account that an operator chooses. */
interface AccountGiven extends Pick<NewAccount, 'tier' | 'credits' | 'event'> {
  readonly email: string
  readonly username: string | undefined
  readonly fullName: string | undefined
  readonly password: string | undefined
}

/** A new account with its key. By default its names are the part of the address before the @, and its password is random. */
export async function newAccount(
  parts: {
    readonly vault: Pick<Vault, 'lookupHashes' | 'seal'>
    hashPassword(text: string): Promise<string>
  },
  { email, password = randomBytes(15).toString('base64url'), ...given }: AccountGiven,
): Promise<{ account: NewAccount; apiKey: string; password: string }> {
  const { credits, event, tier } = given
  const username = given.username ?? email.split('@')[0].slice(0, USERNAME_CHARACTERS)
  const uid = uuidv7()
  const { apiKey, stored: key } = sealKey(parts.vault, 'user', uid)
  const names = { username, fullName: given.fullName ?? username }
  const passwordHash = await parts.hashPassword(password)
  const owner = { address: addressOf(email), email: oneSpelling(email), ...names, passwordHash }
  return { account: { uid, ...owner, tier, credits, event, key }, apiKey, password }
}

/** Creates a verified account, without a mail. Null: the address has an account. */
export function* createAccount(sql: Sql, account: NewAccount): Transaction<{ accountId: number } | null> {
  const { address, credits, key, tier, uid } = account
  yield* lockAddress(sql, address)
  const now = yield* sql.clock()
  const grant = { credits, reason: 'account_creation' }
  const opened = yield* openAccount(sql, { uid, tier, key, grant, owner: account }, now)
  if (opened === null) return null
  // The operator vouches for the address, so its pending registrations need no confirmation any more.
  yield* rows(sql.db.deleteFrom('registrations').where('address', '=', address))
  const { accountId, keyId } = opened
  yield* writeAdminEvent(sql, account.event, 'account_created', {
    accountId,
    keyId,
    facts: { tier, credits },
  })
  return { accountId }
}

/** Deletes an account as its owner does, with an event of the operator. */
export function* endAccount(sql: Sql, { accountId, event }: AdminChange): Transaction<Failure | null> {
  const credits = yield* eraseAccount(sql, { accountId })
  if (credits === null) return noSuchAccount(accountId)
  yield* writeAdminEvent(sql, event, 'account_deleted', { accountId, facts: { credits } })
  return null
}

/**
 * Replaces an account's own key, for example one that has leaked. Its owner gets the new one by logging in; guests cannot. Throws
 * Failure `conflict`.
 */
export async function replaceAccountKey(
  { store, vault }: { readonly store: Runner; readonly vault: Pick<Vault, 'lookupHashes' | 'seal'> },
  { accountId, event }: AdminChange,
): Promise<void> {
  const account = await store.run(findAccount, { accountId })
  if (!isRegistered(account)) throw isGuestAccount(accountId, 'key')
  const { stored: key } = sealKey(vault, 'user', account.uid)
  succeeded(await store.run(replaceOwnKey, { accountId, event, key }))
}

export function* replaceOwnKey(
  sql: Sql,
  { accountId, event, key }: AdminChange & { readonly key: StoredKey },
): Transaction<Failure | null> {
  yield* sql.lock([accountId])
  const replaced = yield* succeedKey(sql, { accountId, key, oldKeyId: null }, yield* sql.clock())
  if (replaced === null) return noOwnKeyToReplace()
  const { keyId, revoked } = replaced
  yield* writeAdminEvent(sql, event, 'key_replaced', { accountId, keyId, facts: { revoked } })
  return null
}
