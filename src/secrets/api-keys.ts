/**
 * The format of API keys: a prefix that tells the kind, then random base62. The first two of these characters tell the
 * bucket of the account, so that a sharded database finds a key on one shard; 250 random bits remain.
 */
import { customAlphabet } from 'nanoid'
import { BUCKETS } from '../buckets.ts'

export type ApiKeyKind = 'user' | 'guest' | 'team'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORMAT = /^qd_(user|guest|team)_([0-9A-Za-z]{43})$/

/** 43 characters of base62 hold 256.03 bits. nanoid draws them from the CSPRNG without bias (rejection sampling). */
const random43 = customAlphabet(BASE62, 43)

/** @param bucket that of the account; without it any, for an account whose number is not drawn yet */
export function newApiKey(kind: ApiKeyKind, bucket: number | null = null): string {
  for (;;) {
    const key = `qd_${kind}_${random43()}`
    if (bucket === null || bucketOfKey(key) === bucket) return key
  }
}

/** The kind of key that has this format; null: none. */
export function apiKeyKind(text: string): ApiKeyKind | null {
  return (FORMAT.exec(text)?.[1] as ApiKeyKind | undefined) ?? null
}

/** The bucket that a key tells. A key issued by an earlier version tells one that may not be its account's. */
export function bucketOfKey(apiKey: string): number {
  const [first, second] = FORMAT.exec(apiKey)?.[2] ?? '00'
  return (BASE62.indexOf(first!) * BASE62.length + BASE62.indexOf(second!)) % BUCKETS
}
