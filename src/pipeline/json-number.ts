/** Numbers in JSON text, read from its bytes to the same double that JSON.parse gives. */

const [PLUS, MINUS, DOT, ZERO, NINE, CAPITAL_E, SMALL_E] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65]
/** The powers of ten that are doubles themselves. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/**
 * Reads the number that begins at `start` into `numbers[index]`. Returns the offset behind it, or −1 where no number
 * stands.
 * Digits that make a whole number below 2⁵³, over a power of ten up to 10²²: both are exact, so that their quotient
 * is rounded once, as it should be (Clinger 1990). Others are left to the engine.
 */
export function readNumber(bytes: Buffer, start: number, numbers: number[], index: number): number {
  const isNegative = bytes[start] === MINUS
  const first = isNegative ? start + 1 : start
  let at = first
  let digits = 0
  if (bytes[at] === ZERO) at += 1
  else for (; isDigit(bytes[at]!); at++) digits = 10 * digits + bytes[at]! - ZERO
  if (at === first) return -1
  let decimals = 0
  if (bytes[at] === DOT) {
    const dot = at
    for (at += 1; isDigit(bytes[at]!); at++) digits = 10 * digits + bytes[at]! - ZERO
    decimals = at - dot - 1
    if (decimals === 0) return -1
  }
  const end = behindExponent(bytes, at)
  if (end === -1) return -1
  if (end > at || digits > Number.MAX_SAFE_INTEGER || decimals >= POWERS.length)
    numbers[index] = Number(bytes.toString('latin1', start, end))
  else numbers[index] = (isNegative ? -digits : digits) / POWERS[decimals]!
  return end
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

/** Where no exponent stands, the offset itself; −1 where one is begun only. */
function behindExponent(bytes: Buffer, start: number): number {
  if (bytes[start] !== SMALL_E && bytes[start] !== CAPITAL_E) return start
  const first = bytes[start + 1] === PLUS || bytes[start + 1] === MINUS ? start + 2 : start + 1
  let at = first
  while (isDigit(bytes[at]!)) at += 1
  return at === first ? -1 : at
}
