/** Double-double arithmetic: the exact error of a single operation, to carry a value, or a sum of many, as an unevaluated sum of two. */

/** The value high + low; `low` is at most about a rounding of `high`. */
export interface DoubleDouble {
  readonly high: number
  readonly low: number
}

const SPLITTER = 2 ** 27 + 1

/** a·b − product exactly, for product = fl(a·b) of magnitudes below 1e290 (Dekker 1971; Veltkamp's splitting). */
export function productError(a: number, b: number, product: number): number {
  const aUp = a * SPLITTER
  const bUp = b * SPLITTER
  const aHigh = aUp - (aUp - a)
  const bHigh = bUp - (bUp - b)
  const aLow = a - aHigh
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

/** a + b − sum exactly, for sum = fl(a + b) (Knuth 1969). */
export function sumError(a: number, b: number, sum: number): number {
  const bSeen = sum - a
  return a - (sum - bSeen) + (b - bSeen)
}

/** An error term, or 0 if it is NaN: beyond about 1e290 `productError` overflows, and its product has no known error. */
export function zeroIfNaN(error: number): number {
  return Number.isNaN(error) ? 0 : error
}

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
