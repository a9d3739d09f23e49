/**
 * Step 1: finds the key and checks it, in the specification's order: format, existence, status, verification, expiry; then the
 * client's address.
 */
import type { ProgramKeys } from '../../accounts/programs.ts'
import { isToken } from '../../accounts/sign-on/access-token.ts'
import { addressForbidden, keyInvalid, keyMissing, tokenInvalid } from '../../base/errors/requests.ts'
import type { Failure, FailureCode } from '../../base/failure.ts'
import { withinRanges } from '../../base/hosts.ts'
import { KEY_FRESH_MS } from '../../base/limits/callers.ts'
import type { Meter } from '../../ledger/metering/meter.ts'
import { keyFailure, malformedKey } from '../../ledger/metering/refused.ts'
import type { KnownKey, Store } from '../../ledger/store/store.ts'
import { originOf } from '../../protocol/handler.ts'
import type { Authenticate, Caller, Incoming, Pipeline } from '../../protocol/incoming.ts'
import type { Result } from '../../protocol/order.ts'

/** Recognises and hashes API keys (`secrets/`). */
interface KeyReader {
  kind(apiKey: string): 'user' | 'guest' | 'team' | null
  /** One hash per master key in use, that of the current one first. */
  hashes(apiKey: string): readonly Uint8Array[]
}

/** @param programs the keys of those who send access tokens; null: such tokens are not taken */
export function authenticator(
  store: Pick<Store, 'answersAtOnce' | 'lookup'>,
  meter: Meter,
  keys: KeyReader,
  programs: ProgramKeys | null,
): Authenticate {
  const recent = store.answersAtOnce ? null : recentKeys()
  const keyOf = (hashes: readonly Uint8Array[]): Result<KnownKey | null> =>
    recent === null
      ? lookedUp(hashes)
      : (recent.get(hashes[0]) ?? recent.keep(hashes[0], () => lookedUp(hashes)))
  const lookedUp = (hashes: readonly Uint8Array[]): Result<KnownKey | null> => {
    const found = store.lookup(hashes)
    return found instanceof Promise
      ? found.then((keys) => firstOf(keys) ?? movedKey(hashes))
      : (firstOf(found) ?? movedKey(hashes))
  }
  /**
   * While master keys rotate, the key's row may change from the old hash to the new one between the lookups of the two; then the
   * second round finds it.
   */
  const movedKey = async (hashes: readonly Uint8Array[]): Promise<KnownKey | null> =>
    hashes.length > 1 ? firstOf(await store.lookup(hashes)) : null
  /** The caller whose key was found. @param refuse makes the failure of a key that gives no access */
  const admitted = (key: KnownKey, { ip }: Incoming, refuse: (code: FailureCode) => Failure): Caller => {
    const code = fault(key, ip)
    if (code === null) return { accountId: key.accountId, keyId: key.keyId, tier: key.tier, team: key.team }
    // The audit counts the refusal; the reply does not wait for that, since nothing is charged.
    meter.enter({ step: 'refusal', call: refusedCall(key, ip), code }).catch(() => undefined)
    throw code === 'key_forbidden' ? addressForbidden(ip) : refuse(code)
  }
  const callerOfToken = async (token: string, incoming: Incoming, { forget, hashOf }: ProgramKeys) => {
    const key = await keyOf([await hashOf(token, originOf(incoming))])
    const refuse = () => {
      forget(token)
      return tokenInvalid(key === null ? 'has no key here' : REFUSED[key.status])
    }
    if (key === null) throw refuse()
    return admitted(key, incoming, refuse)
  }
  return async (incoming) => {
    const text = apiKeyOf(incoming)
    if (programs !== null && isAccessToken(incoming, text))
      return await callerOfToken(text, incoming, programs)
    if (keys.kind(text) === null) throw malformedKey(text)
    const finding = keyOf(keys.hashes(text))
    const key = finding instanceof Promise ? await finding : finding
    if (key === null) throw keyFailure('api_key_invalid')
    return admitted(key, incoming, keyFailure)
  }
}

/** Why the key of a token was refused. */
const REFUSED: Readonly<Record<KnownKey['status'], string>> = {
  active:
    'gives no access until the owner of the account allows programs, by the end of their team key in the console',
  suspended: 'belongs to an account that is suspended: ask the operator',
  revoked: 'belongs to an account that is deleted, or whose owner has revoked the access of programs',
}

/** Tokens come as the standard says (RFC 6750, section 2.1), not in the header of keys. */
const isAccessToken = ({ headers }: Incoming, text: string): boolean =>
  headers['x-api-key'] === undefined && isToken(text)

const refusedCall = ({ accountId, keyId, team }: KnownKey, ip: string) => ({
  accountId,
  keyId,
  ip,
  teamKeyId: team?.id ?? null,
})

/** Keys that give access, of which the look-up began in the last KEY_FRESH_MS. */
function recentKeys() {
  const keys = new Map<string, KnownKey>()
  let emptiedAt = 0
  const nameOf = (hash: Uint8Array) =>
    Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1')
  return {
    get(hash: Uint8Array): KnownKey | undefined {
      const now = performance.now()
      if (now - emptiedAt > KEY_FRESH_MS) {
        keys.clear()
        emptiedAt = now
      }
      return keys.get(nameOf(hash))
    },
    /** Keeps what a look-up finds, unless it took longer: then it is what the key was before. */
    async keep(hash: Uint8Array, lookUp: () => Result<KnownKey | null>): Promise<KnownKey | null> {
      const since = performance.now()
      const key = await lookUp()
      if (key !== null && faultOfKey(key) === null && performance.now() - since <= KEY_FRESH_MS)
        keys.set(nameOf(hash), key)
      return key
    },
  }
}

const firstOf = (found: readonly (KnownKey | null)[]): KnownKey | null =>
  found.find((key) => key !== null) ?? null

function fault(key: KnownKey, ip: string): FailureCode | null {
  const allowed = key.team?.allowedIps ?? null
  return faultOfKey(key) ?? (allowed === null || withinRanges(allowed)(ip) ? null : 'key_forbidden')
}

function faultOfKey(key: KnownKey): FailureCode | null {
  if (key.status !== 'active') return 'api_key_invalid'
  if (key.team !== null && key.team.endsAt !== null && key.team.endsAt <= key.now) return 'api_key_invalid'
  if (!key.verified) return 'account_unverified'
  return key.expiresAt !== null && key.expiresAt <= key.now ? 'guest_key_expired' : null
}

/** Throws Failure `api_key_missing`, `api_key_invalid`, `account_unverified`, `guest_key_expired` or `key_forbidden`. */
export const callerOf = ({ authenticate }: Pipeline, incoming: Incoming): Result<Caller> =>
  incoming.caller ?? authenticate(incoming)

/**
 * The key in its own header, or as a bearer token (RFC 6750, section 2.1). Throws Failure `api_key_missing`, or `api_key_invalid`
 * if the two headers have different keys. Beside an X-API-Key, an Authorization of another kind belongs to a proxy.
 */
function apiKeyOf(incoming: Incoming): string {
  const own = incoming.headers['x-api-key']
  const bearer = /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? '')?.[1]
  if (own !== undefined && bearer?.startsWith('qd_') && bearer !== own)
    throw keyInvalid('X-API-Key and Authorization hold different keys; send one of them')
  const key = own ?? bearer
  if (key !== undefined) return key
  throw keyMissing(placeOf(incoming))
}

/** Where a request without a key in one of the two headers seems to have put it; null: nowhere. */
function placeOf(incoming: Incoming): string | null {
  if (incoming.headers.authorization !== undefined)
    return 'the header "Authorization", but not as "Bearer KEY"'
  const name = Object.keys(incoming.headers).find(isNearMiss)
  if (name !== undefined) return `the header ${JSON.stringify(name)}`
  const parameter = [...incoming.query.keys()].find(isNearMiss)
  return parameter === undefined ? null : `the query parameter ${JSON.stringify(parameter)}`
}

/** Whether a name is a misspelt X-API-Key, such as `apikey`, `api_key` or `X-Api_Key`. */
const isNearMiss = (name: string): boolean => /^x?apikey$/i.test(name.replace(/[-_.]/g, ''))
