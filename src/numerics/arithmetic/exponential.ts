/** The exponential of a sum of two numbers, by a table of roots of two. */

/** Roots of two in the table: 2^(n/128). */
const CELLS = 128
const LAST = CELLS - 1
const roots = Float64Array.from({ length: CELLS }, (_, n) => 2 ** (n / CELLS))
/** 2^n from n = −1022 on. */
const LEAST = -1022
const powers = Float64Array.from({ length: 2046 }, (_, n) => 2 ** (n + LEAST))
const CELLS_PER_UNIT = CELLS / Math.LN2
/** ln 2/128 in two parts (fdlibm's of ln 2); the first has 33 bits, so that its product with n is exact. */
const STEP_HIGH = 6.9314718036912382e-1 / CELLS
const STEP_LOW = 1.9082149292705877e-10 / CELLS
/** Added to a number and taken away again, it leaves a whole one. */
const WHOLE = 1.5 * 2 ** 52

/**
 * exp(head + tail) for −700 < head < 700 and a tail below 1e-3, with a relative error below 2.5e-16: exp(x) =
 * 2^(n/128)·exp(r), where |r| < 0.0028 leaves 2⁻⁶⁰ to the terms left off (table method of Tang 1989).
 */
export function exponential(head: number, tail: number): number {
  const n = head * CELLS_PER_UNIT + WHOLE - WHOLE
  const r = head - n * STEP_HIGH - n * STEP_LOW + tail
  const rr = r * r
  const rest = r + rr * (1 / 2 + r * (1 / 6) + rr * (1 / 24 + r * (1 / 120)))
  const cell = n | 0
  const root = roots[cell & LAST]
  return (root + root * rest) * powers[(cell >> 7) - LEAST]
}
