/** Differences against reference values without rounding: a double against a decimal or a fraction. */

interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

interface Deviation {
  /** |got − exact|, rounded once. */
  readonly absolute: number
  /** |got − exact| / |exact|, rounded once; 0 where both are 0, infinite where only the exact value is. */
  readonly relative: number
}

/** @param exact a decimal ("2.46e-3"), a fraction ("3/32") or a double */
export function deviation(got: number, exact: string | number): Deviation {
  const a = ofDouble(got)
  const b = typeof exact === 'number' ? ofDouble(exact) : ofText(exact)
  const numerator = magnitude(a.numerator * b.denominator - b.numerator * a.denominator)
  const absolute = quotient(numerator, a.denominator * b.denominator)
  if (b.numerator === 0n) return { absolute, relative: numerator === 0n ? 0 : Number.POSITIVE_INFINITY }
  return { absolute, relative: quotient(numerator, a.denominator * magnitude(b.numerator)) }
}

/** A finite double is a whole number times a power of two. */
function ofDouble(value: number): Rational {
  let exponent = 0
  let scaled = value
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    exponent += 1
  }
  return { numerator: BigInt(scaled), denominator: 1n << BigInt(exponent) }
}

function ofText(text: string): Rational {
  const [above = '', below] = text.split('/')
  if (below !== undefined) return { numerator: BigInt(above), denominator: BigInt(below) }
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const power = Number(exponent) - decimals.length
  const digits = BigInt(whole + decimals)
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

const bits = (value: bigint): number => value.toString(16).length * 4

/** A quotient of big integers as a double: 64 leading bits are divided, the rest is a power of two. */
function quotient(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0
  const shift = bits(denominator) - bits(numerator) + 64
  const scaled =
    shift >= 0 ? (numerator << BigInt(shift)) / denominator : numerator / (denominator << BigInt(-shift))
  // In two steps, because 2^shift may be out of range.
  const half = Math.trunc(shift / 2)
  return Number(scaled) / 2 ** half / 2 ** (shift - half)
}
