/** Step 3: the call is counted in its rate windows, or refused with nothing consumed. */
import type { Admission, Call } from '../ledger/types.ts'
import type { Meter } from '../metering/meter.ts'
import { refused } from './refused.ts'

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

/** Checks that a call would be admitted as things stand, without counting it. Throws Refused. */
export async function peek(meter: Meter, call: Call): Promise<void> {
  const verdict = await meter.enter({ step: 'peek', call })
  if (!verdict.ok) throw refused(verdict, call)
}
