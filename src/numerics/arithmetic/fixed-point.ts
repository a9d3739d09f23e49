/** Doubles as integers, and exponentials of their products to any number of places, for signs that a fixed number cannot decide. */
import { scaledBy } from './scaled-product.ts'

/** Every double is a multiple of 2⁻¹⁰⁷⁴. */
export const PLACES = 1074n
const MANTISSA = 2n ** 52n
/** The series is used below 2⁻⁸, where it converges fast. */
const SMALL = 8
/** Bits that the roundings of the series and up to 19 squarings may spoil. */
const SPOILT = 32
const float = new Float64Array(1)
const bits = new BigUint64Array(float.buffer)

/** A double in units of 2⁻¹⁰⁷⁴. */
export function fixedPoint(value: number): bigint {
  float[0] = Math.abs(value)
  const exponent = bits[0] >> 52n
  const size = exponent === 0n ? bits[0] : (MANTISSA + (bits[0] & (MANTISSA - 1n))) << (exponent - 1n)
  return value < 0 ? -size : size
}

/** units·2^power as a double that is 0 only if the number is. */
export function fromFixedPoint(units: bigint, power: number): number {
  if (units === 0n) return 0
  const size = units < 0n ? -units : units
  const shift = Math.max(4 * size.toString(16).length - 64, 0)
  const value = Math.max(scaledBy(Number(size >> BigInt(shift)), shift + power), Number.MIN_VALUE)
  return units < 0n ? -value : value
}

/** A number in units of 2^−places, and the most by which it may be wrong. */
export interface FixedPoint {
  readonly units: bigint
  readonly error: bigint
}

/** exp(a·b) for |a·b| ≤ 1500, with a relative error below 2^(32 − places); the exponential of 0 is exact. */
export function fixedPointExponential(a: number, b: number, places: number): FixedPoint {
  const exponent = fixedPoint(a) * fixedPoint(b)
  const n = BigInt(places)
  const one = 1n << n
  if (exponent === 0n) return { units: one, error: 0n }
  const size = exponent < 0n ? -exponent : exponent
  const halvings = Math.max(0, SMALL + Math.ceil(Math.log2(Math.abs(a * b))))
  const r = (size << n) >> (2n * PLACES + BigInt(halvings))
  let value = one
  let term = r
  for (let k = 2n; term !== 0n; k++) {
    value += term
    term = ((term * r) >> n) / k
  }
  for (let k = 0; k < halvings; k++) value = (value * value) >> n
  if (exponent < 0n) value = (one << n) / value
  return { units: value, error: (value >> BigInt(places - SPOILT)) + 2n }
}
