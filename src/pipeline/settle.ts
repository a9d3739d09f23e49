/** Step 5: the debit and the audit row, durable before anything is answered. */
import { Failure } from '../errors.ts'
import type { Call, Outcome, Standing, Verdict } from '../ledger/types.ts'
import type { Meter } from '../metering/meter.ts'
import { type Admitted, refused } from './admit.ts'

/** A call that may be answered: what it was charged, and where the account stands now. */
export interface Settled {
  readonly charged: number
  readonly replayed: boolean
  readonly standing: Standing
}

/** What the ledger needs to know of work that succeeded. */
export interface Charge {
  readonly credits: number
  readonly parts: string | null
}

/** How the work ended, as the ledger writes it down. */
export const outcomeOf = (result: Charge | Failure, startedAt: number): Outcome => {
  const durationMs = Math.round(performance.now() - startedAt)
  return result instanceof Failure
    ? { status: result.status, code: result.code, credits: 0, durationMs, parts: null }
    : { status: 200, code: null, credits: result.credits, durationMs, parts: result.parts }
}

/** Throws Refused, when the balance has meanwhile gone to other calls. */
export async function settle(meter: Meter, admitted: Admitted, outcome: Outcome): Promise<Settled> {
  const { call, admission } = admitted
  return settled(await meter.enter({ step: 'settle', call, admission, outcome }), call)
}

/** Admission and settlement in one transaction, for work that is already done. Throws Refused. */
export async function admitAndSettle(meter: Meter, call: Call, outcome: Outcome): Promise<Settled> {
  return settled(await meter.enter({ step: 'admitAndSettle', call, outcome }), call)
}

function settled(verdict: Verdict, call: Call): Settled {
  if (!verdict.ok) throw refused(verdict, call)
  return { charged: verdict.charged, replayed: verdict.replayed, standing: verdict.standing }
}
