/** API keys from their making to their keeping. */
import { uuidv7 } from '../ids.ts'
import type { StoredKey } from '../store/store.ts'
import { newApiKey } from './api-keys.ts'
import type { Vault } from './vault.ts'

export type KeyMaker = Pick<Vault, 'lookupHashes' | 'seal'>

/** Purpose of the sealed keys, and what they are bound to: their own uid and their account's. */
export const API_KEY_PURPOSE = 'api key'
export const keyBinding = (keyUid: string, accountUid: string) => [keyUid, accountUid]

/** A new key, and the form in which it is kept. */
export function sealKey(
  vault: KeyMaker,
  kind: 'user' | 'guest',
  accountUid: string,
): { apiKey: string; stored: StoredKey } {
  const apiKey = newApiKey(kind)
  const uid = uuidv7()
  const [lookup] = vault.lookupHashes(apiKey)
  const sealed = vault.seal(API_KEY_PURPOSE, apiKey, keyBinding(uid, accountUid))
  return { apiKey, stored: { uid, hash: lookup!.hash, ...sealed } }
}
