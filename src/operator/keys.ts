/** Replaces an account's own key, for example one that has leaked. Its owner gets the new one by logging in. */
import { findAccount, isRegistered } from '../accounts/account.ts'
import { succeedKey } from '../accounts/open-account.ts'
import { isGuestAccount, noOwnKeyToReplace } from '../errors/operator.ts'
import { type Failure, succeeded } from '../failure.ts'
import { type StoredKey, sealKey } from '../secrets/keys.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Sql, Transaction } from '../store/sql.ts'
import type { Runner } from '../store/store.ts'
import { type AdminChange, writeAdminEvent } from './event.ts'

/** Guests cannot log in, so that a new key would not reach them. Throws Failure `conflict`. */
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
  yield* writeAdminEvent(sql, event, accountId, 'key_replaced', { revoked }, keyId)
  return null
}
