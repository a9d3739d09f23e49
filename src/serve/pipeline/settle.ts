/** Step 5: writes the debit and the audit row, which are durable before the result is sent. */

import { Failure } from '../../base/failure.ts'
import type { JoinedResult } from '../../compute/result.ts'
import type { Meter } from '../../ledger/metering/meter.ts'
import { precedingRefusal, refused } from '../../ledger/metering/refused.ts'
import type { Admission, Call, Outcome, Verdict } from '../../ledger/rules/types.ts'
import type { Settled } from '../../protocol/reply.ts'
import { contentOf } from '../../wire/proofs/content.ts'
import type { Request } from './receive.ts'

/** A call with its outcome, as its settlement enters it. */
export interface Acted {
  readonly call: Call
  /** null: the outcome was known so soon that the settlement also admits the call, in one transaction. */
  readonly admission: Admission | null
  readonly outcome: JoinedResult | Failure
  /** The body that the audit row's digest covers, and the processor time; null: a request that computes nothing. */
  readonly request: Pick<Request, 'body' | 'digest' | 'spent'> | null
  /** By performance.now(). */
  readonly startedAt: number
}

/** Throws Refused where the call is not admitted, or other calls have used up the balance since it was. */
export async function settle(meter: Meter, acted: Acted): Promise<Settled> {
  const { admission, call, outcome } = acted
  const entered = enteredOf(acted)
  if (admission !== null)
    return settled(await meter.enter({ step: 'settle', call, admission, outcome: entered }), acted)
  const verdict = await meter.enter({ step: 'admitAndSettle', call, outcome: entered })
  if (verdict.ok || !(outcome instanceof Failure)) return settled(verdict, acted)
  throw precedingRefusal(refused(verdict, call), outcome)
}

/** The outcome as the ledger enters it. */
function enteredOf({ outcome, request, startedAt }: Acted): Outcome {
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

function contentIn(request: Acted['request'], outcome: JoinedResult | Failure): string | null {
  if (request === null || request.body instanceof Failure) return null
  const { body, digest } = request
  return contentOf({ body, digest }, outcome instanceof Failure ? NO_RESULT : outcome)
}

function settled(verdict: Verdict, { call, outcome }: Acted): Settled {
  if (!verdict.ok) throw refused(verdict, call)
  const { charged, replayed, standing } = verdict
  return { accountId: call.accountId, outcome, charged, replayed, standing }
}
