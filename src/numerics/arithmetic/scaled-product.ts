/** Products whose factors may leave the range of doubles although the product does not. */
import { type DoubleDouble, productError, sumError, zeroIfNaN } from './double-double.ts'
import { logOfFraction } from './log-of-fraction.ts'

/** The first part has 40 bits, so that its product with an exponent below 2¹³ is exact. */
const [LN2_HIGH, LN2_LOW] = logOfFraction(2, 1)
/** Beyond this exponent no quotient of a few doubles brings the product back into range. */
const MOST_EXPONENT = 5600
const float = new Float64Array(1)
const word = new Uint32Array(float.buffer)
const HIGH_WORD = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0
const LEAST_NORMAL = 2 ** -1022
/** For |n| below this, 2^n is a normal double. */
const NORMAL = 1022

/** A number as significand·2^power; the significand of 0 is 0. */
interface Scaled {
  readonly significand: number
  readonly power: number
}

/** a·b without rounding, for magnitudes of the product from 1e-290 to 1e290. */
export function exactProduct(a: number, b: number): DoubleDouble {
  const high = a * b
  return { high, low: zeroIfNaN(productError(a, b, high)) }
}

/** a + b as a sum of two numbers. */
export function exactSum(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const sum = a.high + b.high
  const rest = zeroIfNaN(sumError(a.high, b.high, sum) + a.low + b.low)
  const high = sum + rest
  return { high, low: zeroIfNaN(sum - high + rest) }
}

/**
 * exp(exponent)·above[0]·above[1]·…/(below[0]·below[1]·…) for up to eight factors not below 0. The relative error is one
 * rounding per factor and one of the exponential; only a product outside the range of doubles becomes 0 or infinite.
 */
export function scaledProduct(
  exponent: DoubleDouble,
  above: readonly number[],
  below: readonly number[] = [],
): number {
  const { significand, power } = multiplied(exponent, above, below)
  if (significand === 0 || Number.isNaN(significand)) return significand
  return scaledBy(significand, power)
}

/** The logarithm of the same product, with an absolute error of a few 1e-16 where the product is about 1. */
export function logOfProduct(
  exponent: DoubleDouble,
  above: readonly number[],
  below: readonly number[],
): number {
  const { significand, power } = multiplied(exponent, above, below)
  const shift = Math.round(Math.log2(significand))
  if (!Number.isFinite(shift)) return Math.log(significand)
  return (power + shift) * Math.LN2 + Math.log(significand * 2 ** -shift)
}

/** value·2^power, rounded once. */
export function scaledBy(value: number, power: number): number {
  if (power > -NORMAL && power < NORMAL) return value * powerOfTwo(power)
  const bounded = Math.max(-2300, Math.min(power, 2300))
  const third = Math.trunc(bounded / 3)
  const rest = bounded - 2 * third
  // A negative power of a normal value rounds in its last step only, because the first two stay in range.
  return value * 2 ** third * 2 ** third * 2 ** rest
}

function multiplied(exponent: DoubleDouble, above: readonly number[], below: readonly number[]): Scaled {
  if (exponent.high < -MOST_EXPONENT) return { significand: 0, power: 0 }
  if (exponent.high > MOST_EXPONENT) return { significand: Number.POSITIVE_INFINITY, power: 0 }
  if (Number.isNaN(exponent.high)) return { significand: Number.NaN, power: 0 }
  let power = Math.round(exponent.high / Math.LN2)
  let significand = Math.exp(exponent.high - power * LN2_HIGH - (power * LN2_LOW - exponent.low))
  for (const factor of above) {
    const shift = powerOf(factor)
    significand *= scaledBy(factor, -shift)
    power += shift
  }
  for (const factor of below) {
    const shift = powerOf(factor)
    significand /= scaledBy(factor, -shift)
    power -= shift
  }
  return { significand, power }
}

/** 2^power without Math.pow, for −1022…1023. */
function powerOfTwo(power: number): number {
  word[HIGH_WORD] = (power + 1023) << 20
  word[1 - HIGH_WORD] = 0
  return float[0]
}

/** The binary exponent of a number above 0; for 0, NaN and infinity, any number. */
export function powerOf(value: number): number {
  const isSmall = value < LEAST_NORMAL
  float[0] = isSmall ? value * 2 ** 60 : value
  return (word[HIGH_WORD] >>> 20) - (isSmall ? 1083 : 1023)
}
