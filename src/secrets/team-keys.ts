/**
 * Keyed hashes of team keys, which are not stored themselves. Their HMAC key is a secret of the database, sealed under the
 * master key: a rotation seals it again, and needs no team key in plain text.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { cached, type Sealed, type Vault } from './vault.ts'

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
