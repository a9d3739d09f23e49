/** A refusal by the ledger: a failure, and the account's standing for the headers of its reply. */
import { ExpectedError, Failure, failures, messages, retryAfterSeconds } from '../errors.ts'
import { MINUTE_LIMIT } from '../ledger/tiers.ts'
import type { Call, Standing, Verdict } from '../ledger/types.ts'
import { unavailable } from '../metering/meter.ts'
import { keyFailure } from './key-failure.ts'

export class Refused extends ExpectedError {
  override readonly name = 'Refused'
  readonly failure: Failure
  readonly standing: Standing | null

  constructor(failure: Failure, standing: Standing | null) {
    super(failure.message)
    this.failure = failure
    this.standing = standing
  }
}

type Refusal = Extract<Verdict, { ok: false }>

export const refused = (verdict: Refusal, call: Call): Refused =>
  new Refused(failureFor(verdict, call), verdict.standing)

/**
 * Of a call that was refused after its body or computation had failed, the refusal to report: the failure, if its code
 * takes precedence. An idempotency conflict always stays, for it consumes nothing and the failure would. So does a call
 * that could not be entered: its failure may only be sent once its audit row is durable.
 */
export function precedingRefusal(refusal: Refused, failure: Failure): Refused {
  const { code } = refusal.failure
  const isFinal = code === 'idempotency_conflict' || code === 'unavailable'
  if (isFinal || rank(code) <= rank(failure.code)) return refusal
  return new Refused(failure, refusal.standing)
}

const order = Object.keys(failures)
const rank = (code: string): number => order.indexOf(code)

function failureFor(refusal: Refusal, call: Call): Failure {
  switch (refusal.code) {
    case 'rate_limited':
      return rateLimited(refusal, call)
    case 'credits_exhausted':
      return new Failure(refusal.code, messages.tooFewCredits(call.cost, refusal.standing?.credits ?? 0))
    case 'idempotency_conflict':
      return new Failure(refusal.code, messages.idempotencyConflict)
    case 'unavailable':
      return unavailable()
    default:
      return keyFailure(refusal.code)
  }
}

function rateLimited({ code, retryAt, standing }: Refusal, { kind }: Call): Failure {
  const seconds = retryAt === null || standing === null ? 1 : retryAfterSeconds(retryAt, standing.now)
  const window = kind === 'account' ? undefined : standing?.windows.find(({ resetAt }) => resetAt === retryAt)
  const message =
    window === undefined
      ? messages.rateLimited(
          MINUTE_LIMIT,
          kind === 'account' ? 'account requests' : 'repetitions',
          'minute',
          seconds,
        )
      : messages.rateLimited(window.limit, 'requests', window.name, seconds)
  return new Failure(code, message, { retryAfterSeconds: seconds })
}
