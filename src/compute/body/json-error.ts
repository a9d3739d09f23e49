/**
 * Finds the offset at which a text stops being JSON: for the most frequent fault, an unexpected token, V8 reports a part of the
 * text, but not its offset.
 */

/** Character codes: regular expressions for strings and white space took three times as long, on the event loop. */
const [QUOTE, COMMA, COLON, BACKSLASH, LOWER_U] = [0x22, 0x2c, 0x3a, 0x5c, 0x75]
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const FIRST_PRINTABLE = 0x20
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'))
const HEXADECIMAL = /^[0-9a-fA-F]{4}$/

/** The tokens that are allowed next. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end' | 'end of text'

/** Returns the offset of the first character that is not allowed in its place; the text's length if it ends too early. */
export function jsonErrorOffset(text: string): number {
  /** The characters that end the arrays and objects around the offset. */
  const ends: number[] = []
  let expected: Expected = 'value'
  let offset = endOfSpace(text, 0)
  const closed = (): Expected => (ends.length === 0 ? 'end of text' : 'comma or end')
  for (; offset < text.length; offset = endOfSpace(text, offset)) {
    const code = text.charCodeAt(offset)
    if (expected === 'value' || expected === 'value or ]') {
      if (code === ARRAY || code === OBJECT) {
        ends.push(code === ARRAY ? ARRAY_END : OBJECT_END)
        expected = code === ARRAY ? 'value or ]' : 'name or }'
        offset += 1
      } else if (code === ARRAY_END && expected === 'value or ]') {
        ends.pop()
        expected = closed()
        offset += 1
      } else {
        const end = code === QUOTE ? endOfString(text, offset) : endOfScalar(text, offset)
        if (end === offset) return offset
        offset = end
        expected = closed()
      }
    } else if (expected === 'name' || expected === 'name or }') {
      if (code === OBJECT_END && expected === 'name or }') {
        ends.pop()
        expected = closed()
        offset += 1
      } else {
        const end = code === QUOTE ? endOfString(text, offset) : offset
        if (end === offset) return offset
        offset = end
        expected = 'colon'
      }
    } else if (expected === 'colon') {
      if (code !== COLON) return offset
      expected = 'value'
      offset += 1
    } else if (expected === 'comma or end') {
      const end = ends.at(-1)
      if (code === COMMA) expected = end === ARRAY_END ? 'value' : 'name'
      else if (code === end) {
        ends.pop()
        expected = closed()
      } else return offset
      offset += 1
    } else return offset
  }
  return offset
}

function endOfSpace(text: string, start: number): number {
  let offset = start
  while (isSpace(text.charCodeAt(offset))) offset += 1
  return offset
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Returns the offset after a string, or `start` if it never ends. */
function endOfString(text: string, start: number): number {
  let offset = start + 1
  for (;;) {
    const code = text.charCodeAt(offset)
    if (code === QUOTE) return offset + 1
    // The comparison is also false at the end of the text, where the code is NaN.
    if (!(code >= FIRST_PRINTABLE)) return start
    if (code !== BACKSLASH) offset += 1
    else {
      const escaped = text.charCodeAt(offset + 1)
      if (ESCAPES.has(escaped)) offset += 2
      else if (escaped === LOWER_U && HEXADECIMAL.test(text.slice(offset + 2, offset + 6))) offset += 6
      else return start
    }
  }
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Returns the offset after a number, true, false or null, or `start` if there is none. */
function endOfScalar(text: string, start: number): number {
  SCALAR.lastIndex = start
  return SCALAR.test(text) ? SCALAR.lastIndex : start
}
