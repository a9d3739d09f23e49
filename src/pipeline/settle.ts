/** Step 5: the debit and the audit row, durable before the result is sent. */
import type { JoinedResult } from '../compute/result.ts'
import { Failure } from '../failure.ts'
import type { Call, Outcome, Standing, Verdict } from '../ledger/types.ts'
import type { Meter } from '../metering/meter.ts'
import { refused } from '../metering/refused.ts'
import { digest } from '../proofs/hash.ts'
import { contentOf } from '../proofs/leaf.ts'
import type { Admitted } from './admit.ts'

/** A call that may be answered: its outcome, the charge for it, and the account's standing afterwards. */
export interface Settled {
  readonly accountId: number
  readonly outcome: JoinedResult | Failure
  readonly charged: number
  readonly replayed: boolean
  readonly standing: Standing
}

/**
 * Throws Refused where other calls have used up the balance since the call was admitted.
 * @param startedAt of the request, by performance.now()
 * @param requestDigest of its body; null: the audit has no digests of this call
 */
export async function settle(
  meter: Meter,
  { admission, call }: Admitted,
  outcome: JoinedResult | Failure,
  startedAt: number,
  requestDigest: string | null,
): Promise<Settled> {
  const entered = enteredOf(outcome, startedAt, requestDigest)
  const entry = { step: 'settle', call, admission, outcome: entered } as const
  return settled(await meter.enter(entry), call, outcome)
}

/** Admission and settlement in one transaction, for a call whose outcome is known. Throws Refused. */
export async function admitAndSettle(
  meter: Meter,
  call: Call,
  outcome: JoinedResult | Failure,
  startedAt: number,
  requestDigest: string | null,
): Promise<Settled> {
  const entry = {
    step: 'admitAndSettle',
    call,
    outcome: enteredOf(outcome, startedAt, requestDigest),
  } as const
  return settled(await meter.enter(entry), call, outcome)
}

/** The outcome as the ledger enters it. */
function enteredOf(
  outcome: JoinedResult | Failure,
  startedAt: number,
  requestDigest: string | null,
): Outcome {
  const durationMs = Math.round(performance.now() - startedAt)
  const { digest: data, rowsRoot } = outcome instanceof Failure ? NO_RESULT : outcome
  const content = requestDigest === null || data === null ? null : contentOf(requestDigest, data, rowsRoot)
  return outcome instanceof Failure
    ? { status: outcome.status, code: outcome.code, credits: 0, calls: 1, durationMs, parts: null, content }
    : {
        status: 200,
        code: null,
        credits: outcome.credits,
        calls: outcome.calls,
        durationMs,
        parts: outcome.parts,
        content,
      }
}

const NO_RESULT = { digest: digest(''), rowsRoot: '' }

function settled(verdict: Verdict, call: Call, outcome: JoinedResult | Failure): Settled {
  if (!verdict.ok) throw refused(verdict, call)
  const { charged, replayed, standing } = verdict
  return { accountId: call.accountId, outcome, charged, replayed, standing }
}
