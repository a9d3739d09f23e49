/** Step 3: the call is counted in its windows, or refused with nothing consumed. */
import { createHash } from 'node:crypto'
import { Failure, type FailureCode } from '../errors.ts'
import type { Admission, Call, Standing, Verdict } from '../ledger/types.ts'
import type { Meter } from '../metering/meter.ts'
import { refusal } from './authenticate.ts'

/** A call that was counted; only `settle` may answer it. */
export interface Admitted {
  readonly call: Call
  readonly admission: Admission
  readonly standing: Standing
}

/** Refused by the ledger: a failure that still tells where the account stands. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly failure: Failure
  readonly standing: Standing | null

  constructor(failure: Failure, standing: Standing | null) {
    super(failure.message)
    this.failure = failure
    this.standing = standing
  }
}

/** Throws Refused. */
export async function admit(meter: Meter, call: Call): Promise<Admitted> {
  const verdict = await meter.enter({ step: 'admit', call })
  if (!verdict.ok) throw refused(verdict, call)
  return { call, admission: verdict.admission, standing: verdict.standing }
}

/** Whether a call would be admitted as things stand; counts nothing. Throws Refused. */
export async function peek(meter: Meter, call: Call): Promise<void> {
  const verdict = await meter.enter({ step: 'peek', call })
  if (!verdict.ok) throw refused(verdict, call)
}

export function refused(verdict: Extract<Verdict, { ok: false }>, call: Call): Refused {
  return new Refused(failureFor(verdict.code, verdict, call), verdict.standing)
}

function failureFor(code: FailureCode, verdict: Extract<Verdict, { ok: false }>, call: Call): Failure {
  switch (code) {
    case 'rate_limited': {
      const retryAfterSeconds = secondsUntil(verdict.retryAt, verdict.standing)
      const scope =
        call.kind === 'account' ? 'Too many account requests in a minute' : 'The rate limit is reached'
      return new Failure(code, `${scope}; try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
    }
    case 'credits_exhausted':
      return new Failure(
        code,
        `The call costs ${call.cost} credit${call.cost === 1 ? '' : 's'} and ${verdict.standing?.credits ?? 0} are left; nothing was charged. Send it with a key that has more.`,
      )
    case 'idempotency_conflict':
      return new Failure(
        code,
        'This Idempotency-Key was used for another request; use a new key for a new request.',
      )
    case 'unavailable':
      return new Failure(
        code,
        'The database was interrupted during the call; nothing was charged. Try again.',
        {
          retryAfterSeconds: 1,
        },
      )
    default:
      return refusal(code)
  }
}

const secondsUntil = (at: number | null, standing: Standing | null): number =>
  at === null || standing === null ? 1 : Math.max(1, Math.ceil((at - standing.now) / 1_000))

const VISIBLE = /^[\x21-\x7e]{1,255}$/

/** What a client's Idempotency-Key stands for, while its body arrives. */
export interface IdempotentRequest {
  /** Takes in a piece of the body. */
  update(bytes: Buffer): void
  /** The key with the hash of method, path and body. */
  bound(): NonNullable<Call['idempotency']>
}

/** null: the client sent none. Throws Failure `invalid_input`. */
export function idempotentRequest(
  key: string | undefined,
  method: string,
  path: string,
): IdempotentRequest | null {
  if (key === undefined) return null
  if (!VISIBLE.test(key))
    throw new Failure('invalid_input', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
      details: [
        { path: '', message: 'the Idempotency-Key header must be 1 to 255 visible ASCII characters' },
      ],
    })
  const hash = createHash('sha256').update(`${method} ${path}\n`)
  return { update: (bytes) => hash.update(bytes), bound: () => ({ key, requestHash: hash.digest('hex') }) }
}
