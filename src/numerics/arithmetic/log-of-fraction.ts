/** Logarithms of fractions in integer arithmetic, for tables and where double-double precision is not enough. */

/**
 * ln(n/d) as the sum of a multiple of 2⁻⁴⁰, whose sums and small multiples are exact in a double, and a rest that is
 * correct to one unit in the last place.
 */
export function logOfFraction(n: number, d: number): [high: number, low: number] {
  const log = fixedPointLogOfFraction(BigInt(n), BigInt(d), 160n)
  const high = Math.round(Number(log) / 2 ** 120)
  return [high / 2 ** 40, Number(log - BigInt(high) * 2n ** 120n) / 2 ** 160]
}

/**
 * ln(n/d) = 2·artanh((n − d)/(n + d)) in units of 2^−places, for n/d in ½…2 and at least 128 places. Each term is wrong by
 * at most one unit and adds at least three places; with eight units for the rest the error is below `places`/2 units.
 */
export function fixedPointLogOfFraction(n: bigint, d: bigint, places: bigint): bigint {
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
