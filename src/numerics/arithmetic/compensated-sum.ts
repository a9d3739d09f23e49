/** Sums whose accuracy does not depend on the order of their terms. */

/**
 * Compensated sum of term(0) … term(count − 1), as accurate as a sum in twice the precision (Neumaier 1974,
 * algorithm IV). Not finite where the plain sum is not.
 */
export function compensatedSum(count: number, term: (index: number) => number): number {
  let sum = 0
  let lost = 0
  for (let i = 0; i < count; i++) {
    const value = term(i)
    const next = sum + value
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
  }
  return Number.isFinite(sum) ? sum + lost : sum
}
