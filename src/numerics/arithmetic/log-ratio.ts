/** The logarithm of a ratio to about 75 bits, for results that cancel most of it or divide it by a small number. */
import { type DoubleDouble, productError } from './double-double.ts'
import { logOfFraction } from './log-of-fraction.ts'

const SPLITTER = 2 ** 27 + 1
/** Added to the leading word of a number, it carries into the exponent where the mantissa is at least √2. */
const ABOVE_ROOT_TWO = 0x100000 - 0x6a09f
const MOST_SCALE = 64
/** 2^−n for n = −64…64. */
const powers = Float64Array.from({ length: 2 * MOST_SCALE + 1 }, (_, n) => 2 ** (MOST_SCALE - n))
const float = new Float64Array(1)
const word = new Uint32Array(float.buffer)
const HIGH_WORD = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0

/** Cells of the quotient of the mantissas, ½…3⁄2; each has a short reciprocal c, and −ln c as a sum of two numbers. */
const CELLS = 128
/** c = n/2048 has at most 12 bits, so that its product with half a mantissa is exact. */
const DENOMINATOR = 2048
/** ln 2 in two parts; the first is so short that its product with an exponent is exact. */
const [LN2_HIGH, LN2_LOW] = logOfFraction(2, 1)
const table = reciprocalsAndLogs()

/**
 * ln(numerator/denominator) for any two finite numbers above zero. The absolute error of the two parts together is below 2⁻⁷⁵,
 * the relative one below 2⁻⁵⁴ (table method of Tang 1990: ln x = ln(c·x) − ln c). For other numbers the result is Math.log's.
 */
export function logRatio(numerator: number, denominator: number): DoubleDouble {
  const quotient = numerator / denominator
  const isModerate = quotient > 1e-18 && quotient < 1e18 && denominator > 1e-280 && denominator < 1e280
  if (!isModerate) return logRatioOfExtremes(numerator, denominator)
  float[0] = quotient
  const scale = ((word[HIGH_WORD] + ABOVE_ROOT_TWO) >>> 20) - 1023
  const down = powers[scale + MOST_SCALE]
  return logOfScaledRatio(numerator * down, denominator, quotient * down, scale)
}

/** ln(above/below) + scale·ln 2 for a quotient above/below in √½…√2. */
function logOfScaledRatio(above: number, below: number, quotient: number, scale: number): DoubleDouble {
  const product = quotient * below
  const rest = (above - product - productError(quotient, below, product)) / above
  const cell = 3 * (((quotient - 0.5) * CELLS + 0.5) | 0)
  const c = table[cell]
  const up = quotient * SPLITTER
  const high = up - (up - quotient)
  const rHigh = high * c - 1
  const rLow = (quotient - high) * c
  const r = rHigh + rLow
  // The square of r's leading half is exact; the rest of r² goes into the tail.
  const rUp = r * SPLITTER
  const lead = rUp - (rUp - r)
  const half = -0.5 * lead * lead
  const first = r + half
  const even = 1 / 3 + r * r * (1 / 5 + r * r * (1 / 7 + (r * r) / 9))
  const odd = 1 / 4 + r * r * (1 / 6 + r * r * (1 / 8 + (r * r) / 10))
  const rTail = (rHigh - r + rLow) * (1 - r) + rest
  const firstTail = half - (first - r) + rTail - 0.5 * (r - lead) * (r + lead) + r * r * r * (even - r * odd)
  // Both terms are multiples of 2⁻⁴⁰, so their sum is exact, and it is 0 or larger than the rest.
  const big = scale * LN2_HIGH + table[cell + 1]
  const sum = big + first
  const tail = big - sum + first + (scale * LN2_LOW + table[cell + 2] + firstTail)
  const result = sum + tail
  return { high: result, low: sum - result + tail }
}

/** For numbers near the ends of the range: scales them one by one, so that neither they nor their quotient overflow. */
function logRatioOfExtremes(numerator: number, denominator: number): DoubleDouble {
  const isScalable = [numerator, denominator].every((number) => number > 0 && number < Infinity)
  if (!isScalable) return { high: Math.log(numerator / denominator), low: 0 }
  let scale = 0
  let above = numerator
  let below = denominator
  for (; above >= 2; scale++) above *= 0.5
  for (; above < 1; scale--) above *= 2
  for (; below >= 2; scale--) below *= 0.5
  for (; below < 1; scale++) below *= 2
  if (above > below * Math.SQRT2) {
    above *= 0.5
    scale += 1
  } else if (below > above * Math.SQRT2) {
    above *= 2
    scale -= 1
  }
  return logOfScaledRatio(above, below, above / below, scale)
}

function reciprocalsAndLogs(): Float64Array {
  const rows = new Float64Array(3 * (CELLS + 1))
  for (let cell = 0; cell <= CELLS; cell++) {
    const n = Math.round(DENOMINATOR / (0.5 + cell / CELLS))
    rows.set([n / DENOMINATOR, ...logOfFraction(DENOMINATOR, n)], 3 * cell)
  }
  return rows
}
