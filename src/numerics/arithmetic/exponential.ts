/** The exponential of a sum of two numbers, from a table of powers of 2^(1/128). */

/** Entries of the table 2^(n/128). */
const CELLS = 128
const LAST = CELLS - 1
const roots = Float64Array.from({ length: CELLS }, (_, n) => 2 ** (n / CELLS))
/** The table 2^n begins at n = −1022. */
const LEAST = -1022
const powers = Float64Array.from({ length: 2046 }, (_, n) => 2 ** (n + LEAST))
const CELLS_PER_UNIT = CELLS / Math.LN2
/** ln 2/128 in two parts, from fdlibm's ln 2; the first has 33 bits, so that its product with n is exact. */
const STEP_HIGH = 6.9314718036912382e-1 / CELLS
const STEP_LOW = 1.9082149292705877e-10 / CELLS
/** Adding and subtracting it rounds a number to an integer. */
const ROUND = 1.5 * 2 ** 52

/**
 * exp(high + low) for −700 < high < 700 and |low| < 1e-3, with a relative error below 2.5e-16: exp(x) = 2^(n/128)·exp(r),
 * where |r| < 0.0028, so that the omitted terms are below 2⁻⁶⁰ (table method of Tang 1989).
 */
export function exponential(high: number, low: number): number {
  const n = high * CELLS_PER_UNIT + ROUND - ROUND
  const r = high - n * STEP_HIGH - n * STEP_LOW + low
  const rr = r * r
  const rest = r + rr * (1 / 2 + r * (1 / 6) + rr * (1 / 24 + r * (1 / 120)))
  const cell = n | 0
  const root = roots[cell & LAST]
  return (root + root * rest) * powers[(cell >> 7) - LEAST]
}
