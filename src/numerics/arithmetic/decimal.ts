/** Differences of numbers as the decimals that were written. */

interface Decimal {
  readonly digits: bigint
  /** The power of ten of the last digit. */
  readonly exponent: number
}

/** A double identifies every decimal of up to 15 significant digits; a longer one need not be the decimal that was written. */
const TOO_LONG = 10n ** 15n

/** Whether a − b is c in decimals of at most 15 significant digits, as 65.53 − 43.14 is 22.39. */
export function isDecimalDifference(a: number, b: number, c: number): boolean {
  const terms = [a, b, c].map(decimal)
  if (terms.some(({ digits }) => digits >= TOO_LONG || -digits >= TOO_LONG)) return false
  const least = Math.min(...terms.map(({ exponent }) => exponent))
  const [x, y, z] = terms.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - least))
  return x - y === z
}

/** The shortest decimal that reads as this double. */
function decimal(value: number): Decimal {
  const [mantissa, exponent = '0'] = String(value).split('e')
  const [whole, fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
