/** Step 5: writes the debit and the audit row, which are durable before the result is sent. */

import { Failure } from '../../base/failure.ts'
import type { JoinedResult } from '../../compute/result.ts'
import type { Meter } from '../../ledger/metering/meter.ts'
import { refused } from '../../ledger/metering/refused.ts'
import type { Call, Outcome, Verdict } from '../../ledger/rules/types.ts'
import type { Settled } from '../../protocol/reply.ts'
import { contentOf } from '../../wire/proofs/content.ts'
import type { Admitted } from './admit.ts'
import type { Request } from './receive.ts'

/** The body that the audit row's digest covers, and the processor time; null: a request that computes nothing. */
type Received = Pick<Request, 'body' | 'digest' | 'spent'> | null

/**
 * Throws Refused where other calls have used up the balance since the call was admitted.
 * @param startedAt of the request, by performance.now()
 */
export async function settle(
  meter: Meter,
  { admission, call }: Admitted,
  outcome: JoinedResult | Failure,
  startedAt: number,
  request: Received,
): Promise<Settled> {
  const entered = enteredOf(outcome, startedAt, request)
  return settled(await meter.enter({ step: 'settle', call, admission, outcome: entered }), call, outcome)
}

/** Admission and settlement in one transaction, for a call whose outcome is known. Throws Refused. */
export async function admitAndSettle(
  meter: Meter,
  call: Call,
  outcome: JoinedResult | Failure,
  startedAt: number,
  request: Received,
): Promise<Settled> {
  const entered = enteredOf(outcome, startedAt, request)
  return settled(await meter.enter({ step: 'admitAndSettle', call, outcome: entered }), call, outcome)
}

/** The outcome as the ledger enters it. */
function enteredOf(outcome: JoinedResult | Failure, startedAt: number, request: Received): Outcome {
  const durationMs = Math.round(performance.now() - startedAt)
  const content = contentIn(request, outcome)
  const workMicros = Math.ceil(1_000 * (request?.spent.ms ?? 0))
  if (outcome instanceof Failure) {
    const { code, status } = outcome
    return { status, code, credits: 0, calls: 1, durationMs, workMicros, parts: null, content }
  }
  const { calls, credits, parts } = outcome
  return { status: 200, code: null, credits, calls, durationMs, workMicros, parts, content }
}

const NO_RESULT = { body: '', digest: null }

function contentIn(request: Received, outcome: JoinedResult | Failure): string | null {
  if (request === null || request.body instanceof Failure) return null
  const { body, digest } = request
  return contentOf({ body, digest }, outcome instanceof Failure ? NO_RESULT : outcome)
}

function settled(verdict: Verdict, call: Call, outcome: JoinedResult | Failure): Settled {
  if (!verdict.ok) throw refused(verdict, call)
  const { charged, replayed, standing } = verdict
  return { accountId: call.accountId, outcome, charged, replayed, standing }
}
