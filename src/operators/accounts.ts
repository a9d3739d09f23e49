/** Operators create and delete accounts, and replace the own keys of accounts. */
import { randomBytes } from 'node:crypto'
import { findAccount, isRegistered } from '../accounts/account.ts'
import { addressOf, lockAddress, oneSpelling } from '../accounts/address.ts'
import { eraseAccount } from '../accounts/erase.ts'
import { type Owner, openAccount, succeedKey } from '../accounts/open-account.ts'
import { isGuestAccount, noOwnKeyToReplace, noSuchAccount } from '../base/errors/operator.ts'
import { type Failure, succeeded } from '../base/failure.ts'
import { uuidv7 } from '../base/ids.ts'
import { USERNAME_CHARACTERS } from '../base/limits/callers.ts'
import type { Tier } from '../ledger/rules/tiers.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'
import { type StoredKey, sealKey } from '../secrets/keys.ts'
import type { Vault } from '../secrets/vault.ts'
import { type AdminChange, type AdminEvent, writeAdminEvent } from './audit-event.ts'

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
