/**
 * The keys by which the provider signs its access tokens: read with bounds, kept, and read again for an unknown key. Callers
 * without an account can send tokens of any key, so they cannot make the node read the keys more often than in the bounds.
 */
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import {
  ACCESS_TOKEN_FRESH_MS,
  PROVIDER_KEYS,
  PROVIDER_KEYS_AGAIN_MS,
  PROVIDER_KEYS_KEPT_MS,
  SIGN_ON_AWAY_MS,
} from '../../base/limits/operation.ts'
import { boundedFetch, ProviderAway } from './bounded-fetch.ts'

/** @param address of the provider's key set, which its metadata name */
export function providerKeys(address: () => Promise<string>): JWTVerifyGetKey {
  let present: { readonly find: JWTVerifyGetKey; readonly readAt: number } | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<JWTVerifyGetKey> | null = null
  const read = (): Promise<JWTVerifyGetKey> => {
    triedAt = performance.now()
    reading ??= readKeys(address)
      .then((find) => {
        present = { find, readAt: performance.now() }
        return find
      })
      .catch((cause) => {
        throw new ProviderAway('the keys of the provider cannot be read', { cause })
      })
      .finally(() => {
        reading = null
      })
    return reading
  }
  /** The keys, read again if they are old. */
  const fresh = async (): Promise<JWTVerifyGetKey> => {
    const age = present === null ? Number.POSITIVE_INFINITY : performance.now() - present.readAt
    if (present !== null && age < ACCESS_TOKEN_FRESH_MS) return present.find
    const kept = present !== null && age < PROVIDER_KEYS_KEPT_MS ? present.find : null
    if (reading === null && performance.now() - triedAt < SIGN_ON_AWAY_MS) {
      if (kept === null) throw new ProviderAway('the keys of the provider could not be read a moment ago')
      return kept
    }
    return await read().catch((error) => {
      if (kept === null) throw error
      return kept
    })
  }
  return async (header, token) => {
    const find = await fresh()
    try {
      return await find(header, token)
    } catch (error) {
      const isUnknown = (error as { code?: string }).code === 'ERR_JWKS_NO_MATCHING_KEY'
      if (!isUnknown || performance.now() - triedAt < PROVIDER_KEYS_AGAIN_MS) throw error
      return await (await read())(header, token)
    }
  }
}

async function readKeys(address: () => Promise<string>): Promise<JWTVerifyGetKey> {
  const [{ createLocalJWKSet }, url] = await Promise.all([import('jose'), address()])
  const response = await boundedFetch(url, { headers: { accept: 'application/json' } })
  const set =
    response.status === 200 ? ((await response.json().catch(() => null)) as JSONWebKeySet | null) : null
  if (!Array.isArray(set?.keys) || set.keys.length > PROVIDER_KEYS)
    throw new ProviderAway(`${url} answered without a set of at most ${PROVIDER_KEYS} keys`)
  return createLocalJWKSet(set)
}
