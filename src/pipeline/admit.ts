/** Step 3: the call is counted in its rate windows, or refused with nothing consumed. */
import type { Admission, Call } from '../ledger/types.ts'
import type { Meter } from '../metering/meter.ts'
import type { Pipeline } from './incoming.ts'
import { Refused, refused, tooFewCredits } from './refused.ts'

/** A call that was counted; only `settle` leads from it to a reply. */
export interface Admitted {
  readonly call: Call
  readonly admission: Admission
}

/** Throws Refused. */
export async function admit(meter: Meter, call: Call): Promise<Admitted> {
  const verdict = await meter.enter({ step: 'admit', call })
  if (!verdict.ok) throw refused(verdict, call)
  return { call, admission: verdict.admission }
}

/**
 * Checks that a call would be admitted as things stand, without counting it. Throws Refused. Returns a check of the cost
 * while it becomes known, which throws Refused as soon as the balance does not cover it.
 */
export async function peek({ doubtful, meter }: Pipeline, call: Call): Promise<(cost: number) => void> {
  const verdict = await meter.enter({ step: 'peek', call })
  if (!verdict.ok) throw refused(verdict, call)
  doubtful.delete(call.accountId)
  const { replayed, standing } = verdict
  const affordable = replayed ? Number.POSITIVE_INFINITY : standing.credits - standing.inFlight
  return (cost) => {
    if (cost <= affordable) return
    meter.enter({ step: 'refusal', call, code: 'credits_exhausted' }).catch(() => undefined)
    throw new Refused(tooFewCredits(cost, standing, true), standing, call.accountId)
  }
}
