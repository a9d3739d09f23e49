/** Reads the rows that most tables consist of in one pass over their bytes: numbers as JSON writes them, and nothing else. */

const [NEWLINE, RETURN, COMMA, MINUS, POINT, ZERO, NINE] = [10, 13, 44, 45, 46, 48, 57]
const [OPEN, CLOSE] = [0x5b, 0x5d]
const decoder = new TextDecoder()

/** Digits that a double holds exactly, and the powers of ten that are doubles (Clinger 1990). */
export const EXACT_DIGITS = 15
export const powers = Array.from({ length: 23 }, (_, i) => 10 ** i)

/**
 * Reads the row of `made.columns` cells that begins at `from`: its numbers into `made.values` from `made.count` on, its text as
 * JSON into `made.json` from `made.written` on; both have room for it. Returns the place after its last byte, or -1, without a
 * change of the counts, where any cell is written in another way; `separator` is the byte between cells.
 */
export function readPlainRow(text, from, separator, made) {
  const { values, json, columns } = made
  const end = text.length
  let { count, written } = made
  let at = from
  if (count > 0) json[written++] = COMMA
  json[written++] = OPEN
  for (let column = 1; ; column++) {
    const isNegative = text[at] === MINUS
    if (isNegative) json[written++] = text[at++]
    const first = at
    let mantissa = 0
    let point = -1
    for (; at < end; at++) {
      const byte = text[at]
      if (byte >= ZERO && byte <= NINE) mantissa = mantissa * 10 + byte - ZERO
      else if (byte === POINT && point === -1) point = at
      else break
      json[written++] = byte
    }
    const whole = (point === -1 ? at : point) - first
    const scale = point === -1 ? 0 : at - point - 1
    if (whole === 0 || (whole > 1 && text[first] === ZERO) || point === at - 1) return -1
    const value =
      whole + scale <= EXACT_DIGITS
        ? mantissa / powers[scale]
        : Number(decoder.decode(text.subarray(first, at)))
    values[count++] = isNegative ? -value : value
    const isLast = at === end || text[at] === NEWLINE || text[at] === RETURN
    if (isLast !== (column === columns)) return -1
    if (isLast) break
    if (text[at] !== separator) return -1
    json[written++] = COMMA
    at++
  }
  json[written++] = CLOSE
  made.count = count
  made.written = written
  return at
}
