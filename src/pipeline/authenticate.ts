/** Step 1: who is calling. In the specification's order: format, existence, status, verification, expiry. */
import type { Caller } from '../accounts/handler.ts'
import { EXPIRED_GUEST_KEY, Failure, type FailureCode, INVALID_KEY } from '../errors.ts'
import { coalesce } from '../metering/coalesce.ts'
import type { Meter } from '../metering/meter.ts'
import type { KnownKey, Store } from '../store/store.ts'

/** How API keys are told apart and looked up; their format and hashing are the accounts' business. */
export interface KeyReader {
  kind(apiKey: string): 'user' | 'guest' | null
  /** One per master key that is in use, the current one first. */
  hashes(apiKey: string): readonly Uint8Array[]
}

/** Who was answered together comes again together: one round trip for all of them leaves the database time for the ledger. */
const GATHER_TURNS = 8

export type Authenticate = (apiKey: string | undefined, ip: string) => Promise<Caller>

export function authenticator(
  store: Pick<Store, 'answersAtOnce' | 'lookup'>,
  meter: Meter,
  keys: KeyReader,
): Authenticate {
  const together = coalesce(async (hashes: Uint8Array[]) => await store.lookup(hashes), {
    gatherTurns: GATHER_TURNS,
  })
  const look = (hashes: readonly Uint8Array[]) =>
    store.answersAtOnce ? store.lookup(hashes) : Promise.all(hashes.map((hash) => together.add(hash)))
  return async (apiKey, ip) => {
    if (apiKey === undefined) throw refusal('api_key_missing')
    const kind = keys.kind(apiKey)
    if (kind === null) throw refusal('api_key_invalid')
    const hashes = keys.hashes(apiKey)
    let key = firstOf(await look(hashes))
    // With several master keys a rotation may be under way, and the row may have flipped between the look by its new
    // hash and the one by its old: a second look finds it.
    if (key === null && hashes.length > 1) key = firstOf(await look(hashes))
    if (key === null) throw refusal('api_key_invalid')
    const code = fault(key)
    if (code === null) return { accountId: key.accountId, keyId: key.keyId, isGuest: kind === 'guest' }
    // A refusal is no charge: it is noted for the audit without holding up the answer.
    meter
      .enter({ step: 'refusal', call: { accountId: key.accountId, keyId: key.keyId, ip }, code })
      .catch(() => undefined)
    throw refusal(code)
  }
}

const firstOf = (found: readonly (KnownKey | null)[]): KnownKey | null =>
  found.find((key) => key !== null) ?? null

function fault(key: KnownKey): FailureCode | null {
  if (key.status !== 'active') return 'api_key_invalid'
  if (!key.verified) return 'account_unverified'
  if (key.expiresAt !== null && key.expiresAt <= key.now) return 'guest_key_expired'
  return null
}

/** The failures of a key, with the messages that the specification fixes. */
export function refusal(code: FailureCode): Failure {
  switch (code) {
    case 'api_key_missing':
      return new Failure(code, INVALID_KEY, {
        details: [{ path: '', message: 'send your API key in the X-API-Key header' }],
      })
    case 'account_unverified':
      return new Failure(
        code,
        'The account of this API key is not verified; confirm its e-mail address first.',
      )
    case 'guest_key_expired':
      return new Failure(code, EXPIRED_GUEST_KEY)
    default:
      return new Failure('api_key_invalid', INVALID_KEY)
  }
}
