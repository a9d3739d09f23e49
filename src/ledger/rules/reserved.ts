/** The credits that calls in flight may take. */

/** The number of calls in flight by their cost. */
export type CostsInFlight = ReadonlyMap<number, number>

export const NONE_IN_FLIGHT: CostsInFlight = new Map()

/**
 * The credits of a balance, or of the rest of a cap, that calls in flight may take. A call that costs more than there is takes
 * nothing: a reversal took away what it was admitted for.
 */
export function reserved(costs: CostsInFlight, credits: number): number {
  let sum = 0
  for (const [cost, calls] of costs) if (cost <= credits) sum += cost * calls
  return Math.min(sum, credits)
}

/** The costs after calls of a cost have begun, or have ended. @param calls negative: they have ended */
export function changed(costs: CostsInFlight, cost: number, calls: 1 | -1): CostsInFlight {
  const left = (costs.get(cost) ?? 0) + calls
  const after = new Map(costs)
  if (left > 0 && cost > 0) after.set(cost, left)
  else after.delete(cost)
  return after
}
