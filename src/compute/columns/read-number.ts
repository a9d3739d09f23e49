/** Short numbers in JSON text, read from its bytes to the same double that JSON.parse gives. */

const [MINUS, DOT, ZERO, NINE, CAPITAL_E, SMALL_E] = [0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65]
/** So many digits always fit into an integer of 32 bits. */
const MAX_DIGITS = 9
const POWERS_OF_TEN = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, exponent) => Number(`1e${exponent}`))

/**
 * Reads the number that begins at `start` into `numbers[index]`. Returns the offset behind it, or −1 if no number of at
 * most nine digits without an exponent stands there.
 * The digits as an integer, and the power of ten that it is divided by, are exact: the quotient is rounded once (Clinger 1990).
 */
export function readNumber(bytes: Uint8Array, start: number, numbers: Float64Array, index: number): number {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  let at = first
  let byte = bytes[at]
  if (!isDigit(byte)) return -1
  // Of a longer number these are the lowest 32 bits, which are not used.
  let digits = byte - ZERO
  byte = bytes[++at]
  if (digits > 0) for (; isDigit(byte); byte = bytes[++at]) digits = withDigit(digits, byte)
  let count = at - first
  let decimals = 0
  if (byte === DOT) {
    const dot = at
    byte = bytes[++at]
    for (; isDigit(byte); byte = bytes[++at]) digits = withDigit(digits, byte)
    decimals = at - dot - 1
    count += decimals
    if (decimals === 0) return -1
  }
  if (count > MAX_DIGITS || byte === SMALL_E || byte === CAPITAL_E) return -1
  numbers[index] = (isNegative ? -digits : digits) / POWERS_OF_TEN[decimals]
  return at
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

const withDigit = (digits: number, byte: number): number => (Math.imul(10, digits) + byte - ZERO) | 0
