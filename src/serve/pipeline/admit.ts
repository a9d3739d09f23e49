/** Step 3: the call is counted in its rate windows, or refused with nothing consumed. */

import type { Failure } from '../../base/failure.ts'
import type { Meter } from '../../ledger/metering/meter.ts'
import { balanceTooLow, capTooLow, Refused, refused } from '../../ledger/metering/refused.ts'
import type { Admission, Call } from '../../ledger/rules/types.ts'
import type { Pipeline } from '../../protocol/incoming.ts'

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

/** Enters a refusal that needs no decision of the ledger, so that the audit counts it; returns the error to throw. */
export async function refusedBefore(meter: Meter, call: Call, failure: Failure): Promise<Refused> {
  const { standing } = await meter.enter({ step: 'refusal', call, code: failure.code })
  return new Refused(failure, standing, call.accountId)
}

/** The amount that a caller could pay at the time of the check. */
export interface Means {
  readonly credits: number
  /** Throws Refused if the credits do not cover a cost. @param cost of as much of the request as was read so far */
  refuse(cost: number): void
}

/** Checks that a call would be admitted now, without counting it. Throws Refused. */
export async function peek({ recentlyRefused, meter }: Pipeline, call: Call): Promise<Means> {
  const verdict = await meter.enter({ step: 'peek', call })
  if (!verdict.ok) throw refused(verdict, call)
  recentlyRefused.delete(call.accountId)
  const { replayed, standing } = verdict
  const balance = replayed ? Number.POSITIVE_INFINITY : standing.credits - standing.inFlight
  const left = replayed ? balance : Math.min(balance, standing.cap?.left ?? balance)
  const refuse = (cost: number): void => {
    if (cost <= left) return
    const failure = (cost > balance ? balanceTooLow : capTooLow)(cost, standing, { isAtLeast: true })
    meter.enter({ step: 'refusal', call, code: failure.code }).catch(() => undefined)
    throw new Refused(failure, standing, call.accountId)
  }
  return { credits: left, refuse }
}
