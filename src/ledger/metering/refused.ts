/** Refusals of an API key or by the ledger: a failure, and the account's standing for the headers of its reply. */
import {
  accountUnverified,
  databaseAway,
  guestKeyExpired,
  idempotencyConflict,
  keyCapTooLow,
  keyInvalid,
  rateLimited,
  tooFewCredits,
  tooManyReplays,
} from '../../base/errors/requests.ts'
import {
  ExpectedError,
  type Failure,
  type FailureCode,
  failures,
  retryAfterSeconds,
} from '../../base/failure.ts'
import { MAX_REPLAYS, MINUTE_REQUESTS, MINUTE_REQUESTS_OF_TEAM_KEYS } from '../../base/limits/callers.ts'
import type { Call, Standing, Verdict } from '../rules/types.ts'

export class Refused extends ExpectedError {
  override readonly name = 'Refused'
  readonly failure: Failure
  readonly standing: Standing | null
  readonly accountId: number

  constructor(failure: Failure, standing: Standing | null, accountId: number) {
    super(failure.message)
    this.failure = failure
    this.standing = standing
    this.accountId = accountId
  }
}

type Refusal = Extract<Verdict, { ok: false }>

export const refused = (verdict: Refusal, call: Call): Refused =>
  new Refused(failureFor(verdict, call), verdict.standing, call.accountId)

/** At this number all accounts are forgotten: their next requests are received before they are refused. */
const MAX_REFUSED = 10_000

export function noteRefusal(recentlyRefused: Set<number>, { accountId, failure }: Refused): void {
  const isUsedUp = failure.code === 'credits_exhausted' || failure.code === 'key_cap_exhausted'
  if (failure.code !== 'rate_limited' && !isUsedUp) return
  if (recentlyRefused.size >= MAX_REFUSED) recentlyRefused.clear()
  recentlyRefused.add(accountId)
}

/**
 * The refusal to report for a call whose body or computation had failed before the ledger refused it: the failure, if its
 * code takes precedence. An idempotency conflict is always reported, because it consumes nothing and the failure would. So
 * is `unavailable`, because the failure may only be sent once its audit row is durable.
 */
export function precedingRefusal(refusal: Refused, failure: Failure): Refused {
  const { code } = refusal.failure
  const isFinal = code === 'idempotency_conflict' || code === 'unavailable'
  if (isFinal || rank(code) <= rank(failure.code)) return refusal
  return new Refused(failure, refusal.standing, refusal.accountId)
}

const order = Object.keys(failures)
const rank = (code: string): number => order.indexOf(code)

function failureFor(refusal: Refusal, call: Call): Failure {
  switch (refusal.code) {
    case 'rate_limited':
      return windowUsedUp(refusal, call)
    case 'credits_exhausted':
      return balanceTooLow(call.cost, refusal.standing)
    case 'key_cap_exhausted':
      return capTooLow(call.cost, refusal.standing)
    case 'idempotency_conflict':
      return idempotencyConflict()
    case 'unavailable':
      return databaseAway()
    default:
      return keyFailure(refusal.code)
  }
}

const WHOLE = { isAtLeast: false }

/** @param isAtLeast whether `cost` is that of the part of the request that was read so far */
export const balanceTooLow = (cost: number, standing: Standing | null, { isAtLeast } = WHOLE): Failure =>
  tooFewCredits({
    cost,
    isAtLeast,
    balance: standing?.credits ?? 0,
    inFlight: standing?.inFlight ?? 0,
    isGuest: standing?.isGuest ?? false,
  })

/** Like balanceTooLow, for the cap of the team key. */
export const capTooLow = (cost: number, standing: Standing | null, { isAtLeast } = WHOLE): Failure =>
  keyCapTooLow({ cost, isAtLeast, left: 0, resetsAt: null, ...standing?.cap })

function windowUsedUp({ limit, retryAt, standing }: Refusal, { kind, teamKeyId }: Call): Failure {
  const seconds = retryAt === null || standing === null ? 1 : retryAfterSeconds(retryAt, standing.now)
  if (limit === 'replays') return tooManyReplays(MAX_REPLAYS, seconds)
  if (limit === 'work')
    return rateLimited(
      { counted: 'processor_seconds', limit: standing?.workLimit ?? 0, window: 'hour' },
      seconds,
    )
  const window = standing?.windows.find(({ name }) => name === limit)
  if (window?.name === 'key_hour')
    return rateLimited({ counted: 'requests', limit: window.limit, window: 'hour', scope: 'key' }, seconds)
  if (window !== undefined && window.name !== 'work')
    return rateLimited({ counted: 'requests', limit: window.limit, window: window.name }, seconds)
  return minuteUsedUp(kind === 'account' ? 'account_requests' : 'repetitions', teamKeyId, seconds)
}

export function minuteUsedUp(
  counted: 'account_requests' | 'repetitions',
  teamKeyId: number | null,
  seconds: number,
): Failure {
  const limit =
    teamKeyId === null
      ? { limit: MINUTE_REQUESTS }
      : { limit: MINUTE_REQUESTS_OF_TEAM_KEYS, scope: 'team_keys' as const }
  return rateLimited({ counted, window: 'minute', ...limit }, seconds)
}

/** @param code of the ledger or the lookup; codes without a message of their own stand for an invalid key */
export function keyFailure(code: FailureCode): Failure {
  switch (code) {
    case 'account_unverified':
      return accountUnverified()
    case 'guest_key_expired':
      return guestKeyExpired()
    default:
      return keyInvalid()
  }
}

/** The failure of a text that has not the format of a key. The message is fixed, so the hint is in the details. */
export function malformedKey(apiKey: string): Failure {
  const hint = /^bearer\b/i.test(apiKey)
    ? 'the X-API-Key header must hold the key alone, without "Bearer"'
    : 'what was sent does not have the format of a key'
  return keyInvalid(hint)
}
