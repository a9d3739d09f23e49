/** Numbers in JSON text, read from its bytes to the same double that JSON.parse gives. */

const [PLUS, MINUS, DOT, ZERO, NINE, CAPITAL_E, SMALL_E] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65]
/** The powers of ten that are exact doubles. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/**
 * Reads the number that begins at `start` into `numbers[index]`. Returns the offset behind it, or −1 if no number
 * stands there.
 * Digits that form an integer below 2⁵³ are divided by a power of ten up to 10²²: both are exact, so their quotient
 * is rounded once (Clinger 1990). Other numbers are left to the engine.
 */
export function readNumber(bytes: Buffer, start: number, numbers: Float64Array, index: number): number {
  const isNegative = bytes[start] === MINUS
  let at = isNegative ? start + 1 : start
  let byte = bytes[at]!
  if (!isDigit(byte)) return -1
  let digits = byte - ZERO
  byte = bytes[++at]!
  if (digits > 0) for (; isDigit(byte); byte = bytes[++at]!) digits = 10 * digits + byte - ZERO
  let decimals = 0
  if (byte === DOT) {
    const dot = at
    byte = bytes[++at]!
    for (; isDigit(byte); byte = bytes[++at]!) digits = 10 * digits + byte - ZERO
    decimals = at - dot - 1
    if (decimals === 0) return -1
  }
  if (byte === SMALL_E || byte === CAPITAL_E || digits > Number.MAX_SAFE_INTEGER || decimals >= POWERS.length)
    return readByEngine(bytes, start, at, numbers, index)
  numbers[index] = (isNegative ? -digits : digits) / POWERS[decimals]!
  return at
}

/** @param at behind the digits, where an exponent may stand */
function readByEngine(
  bytes: Buffer,
  start: number,
  at: number,
  numbers: Float64Array,
  index: number,
): number {
  const end = behindExponent(bytes, at)
  if (end !== -1) numbers[index] = Number(bytes.toString('latin1', start, end))
  return end
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

/** Returns the offset itself if no exponent stands there, −1 if an incomplete one does. */
function behindExponent(bytes: Buffer, start: number): number {
  if (bytes[start] !== SMALL_E && bytes[start] !== CAPITAL_E) return start
  const first = bytes[start + 1] === PLUS || bytes[start + 1] === MINUS ? start + 2 : start + 1
  let at = first
  while (isDigit(bytes[at]!)) at += 1
  return at === first ? -1 : at
}
