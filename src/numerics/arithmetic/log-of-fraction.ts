/** Logarithms of fractions in whole numbers, for the tables of the quick logarithms and where these are too short. */

/**
 * ln(n/d) as a whole number of 2⁻⁴⁰, which leaves room to multiply and add it exactly, and the rest, correct to a unit
 * in the last place.
 */
export function logOfFraction(n: number, d: number): [number, number] {
  const log = wholeLogOfFraction(BigInt(n), BigInt(d), 160n)
  const high = Math.round(Number(log) / 2 ** 120)
  return [high / 2 ** 40, Number(log - BigInt(high) * 2n ** 120n) / 2 ** 160]
}

/**
 * ln(n/d) = 2·artanh((n − d)/(n + d)) in units of 2^−places, for n/d in ½…2 and at least 128 places. It misses a unit a
 * term, of which each adds three places, and eight more: all told less than `places`/2.
 */
export function wholeLogOfFraction(n: bigint, d: bigint, places: bigint): bigint {
  const z = ((n - d) << places) / (n + d)
  const square = (z * z) >> places
  const one = 1n << places
  let power = 2n * z
  let sum = 0n
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += power / k
    power = (power * square) / one
  }
  return sum
}
