/** Logarithms of fractions in two parts, for the tables of the quick logarithms. */

/**
 * ln(n/d) as a whole number of 2⁻⁴⁰, which leaves room to multiply and add it exactly, and the rest, correct to a unit
 * in the last place: 2·artanh((n − d)/(n + d)) in whole numbers of 2⁻¹⁶⁰.
 */
export function logOfFraction(n: number, d: number): [number, number] {
  const one = 2n ** 160n
  const z = (one * BigInt(n - d)) / BigInt(n + d)
  let power = 2n * z
  let sum = 0n
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += power / k
    power = (((power * z) / one) * z) / one
  }
  const high = Math.round(Number(sum) / 2 ** 120)
  return [high / 2 ** 40, Number(sum - BigInt(high) * 2n ** 120n) / 2 ** 160]
}
