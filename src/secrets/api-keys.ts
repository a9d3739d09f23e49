/** The format of API keys: a prefix that tells the kind, then random base62. */
import { customAlphabet } from 'nanoid'

export type ApiKeyKind = 'user' | 'guest' | 'team'

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORMAT = /^qd_(user|guest|team)_([0-9A-Za-z]{43})$/

/** 43 characters of base62 hold 256.03 bits. nanoid draws them from the CSPRNG without bias (rejection sampling). */
export const random43 = customAlphabet(BASE62, 43)

export const newApiKey = (kind: ApiKeyKind): string => `qd_${kind}_${random43()}`

/** The kind of key that has this format; null: none. */
export function apiKeyKind(text: string): ApiKeyKind | null {
  return (FORMAT.exec(text)?.[1] as ApiKeyKind | undefined) ?? null
}
