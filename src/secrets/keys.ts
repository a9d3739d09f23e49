/** Creates API keys, and encrypts, decrypts and hashes them for the database. */

import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import { uuidv7 } from '../base/ids.ts'
import { cached, type Sealed, type Vault } from './vault.ts'

type ApiKeyKind = 'user' | 'guest' | 'team'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** A prefix that names the kind, then random base62. */
const FORMAT = /^qd_(user|guest|team)_([0-9A-Za-z]{43})$/

/** 43 characters of base62 hold 256.03 bits. nanoid draws them from the CSPRNG without bias (rejection sampling). */
const random43 = customAlphabet(BASE62, 43)

export const newApiKey = (kind: ApiKeyKind): string => `qd_${kind}_${random43()}`

/** The kind of key that has this format; null: none. */
export function apiKeyKind(text: string): ApiKeyKind | null {
  return (FORMAT.exec(text)?.[1] as ApiKeyKind | undefined) ?? null
}

/** Purpose of the encrypted keys. They are bound to their own uid and that of their account. */
export const API_KEY_PURPOSE = 'api key'
const binding = (keyUid: string, accountUid: string) => [keyUid, accountUid]

/** A new key, and its row: the lookup hash, the encrypted key, and the characters by which people recognise it. */
export function sealKey(
  vault: Pick<Vault, 'lookupHashes' | 'seal'>,
  kind: 'user' | 'guest',
  accountUid: string,
): { apiKey: string; stored: StoredKey } {
  const apiKey = newApiKey(kind)
  const uid = uuidv7()
  const [lookup] = vault.lookupHashes(apiKey)
  const sealed = vault.seal(API_KEY_PURPOSE, apiKey, binding(uid, accountUid))
  return { apiKey, stored: { uid, hash: lookup!.hash, ...sealed, ...shownOf(apiKey) } }
}

/** Finds the hashes by which a key is looked up, one for each master key in use; none if the text is no key. */
export const keyHashes =
  (vault: Pick<Vault, 'lookupHashes'>, hashTeamKey: TeamKeyHash) =>
  (text: string): readonly Uint8Array[] => {
    const kind = apiKeyKind(text)
    if (kind === null) return []
    return kind === 'team' ? [hashTeamKey(text)] : vault.lookupHashes(text).map(({ hash }) => hash)
  }

/** A new token of an operator. */
export const newOperatorToken = (): string => `qd_op_${random43()}`

/** A new team key, and its row: the lookup hash and the characters by which people recognise it. */
export function hashedTeamKey(hashOf: TeamKeyHash): { apiKey: string; stored: HashedKey } {
  const apiKey = newApiKey('team')
  return { apiKey, stored: { uid: uuidv7(), hash: hashOf(apiKey), ...shownOf(apiKey) } }
}

/** The characters of a key that are shown: its kind and four more, and the last four. */
export interface ShownCharacters {
  readonly prefix: string
  readonly last4: string
}

/** Of the 43 random characters, 35 stay unknown. */
export const shownOf = (apiKey: string): ShownCharacters => ({
  prefix: startOf(apiKey),
  last4: apiKey.slice(-4),
})

const START = /^qd_[a-z]+_.{0,4}/

/** The part of a text that may be the shown start of a key. */
export const startOf = (text: string): string => START.exec(text)?.[0] ?? text

/** A team key as it is stored: its hash, and the few characters by which people recognise it. */
export interface HashedKey extends ShownCharacters {
  readonly uid: string
  readonly hash: Uint8Array
}

/** The key itself. Throws VaultError. */
export const openApiKey = (
  vault: Pick<Vault, 'open'>,
  key: Sealed & { readonly uid: string },
  accountUid: string,
): string => vault.open(API_KEY_PURPOSE, key, binding(key.uid, accountUid))

/** A new API key: found by its hash, shown again by opening the sealed key. */
export interface StoredKey extends Sealed, ShownCharacters {
  readonly uid: string
  readonly hash: Uint8Array
}

/**
 * The HMAC key of the hashes of team keys, which are not stored themselves, is a secret of the database, sealed under the master
 * key: a rotation seals it again, and needs no team key in plain text.
 */
export const TEAM_HASH_PURPOSE = 'team key hash'

/** The lookup hash of a team key, 32 bytes. */
export type TeamKeyHash = (apiKey: string) => Buffer

/** A new HMAC key. */
export const sealHashKey = (vault: Pick<Vault, 'seal'>): Sealed =>
  vault.seal(TEAM_HASH_PURPOSE, randomBytes(32).toString('base64'), [])

/** Throws VaultError. */
export function teamKeyHash(vault: Pick<Vault, 'open'>, sealed: Sealed): TeamKeyHash {
  const key = createSecretKey(vault.open(TEAM_HASH_PURPOSE, sealed, []), 'base64')
  return cached(
    () => key,
    (apiKey) => createHmac('sha256', key).update(apiKey).digest(),
  )
}
