/** Finds where a text stops being JSON; engines report the place for some errors only. */

const SPACE = /[ \t\n\r]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold control characters
const STRING_PART = /[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The tokens that may follow. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end' | 'end of text'

/** Returns the offset of the first character that is not allowed in its place; the text's length if it ends too early. */
export function jsonErrorOffset(text: string): number {
  const open: ('[' | '{')[] = []
  let expected: Expected = 'value'
  let offset = skip(SPACE, text, 0)
  const closed = (): Expected => (open.length === 0 ? 'end of text' : 'comma or end')
  for (; offset < text.length; offset = skip(SPACE, text, offset)) {
    const character = text[offset]!
    const inside = open.at(-1)
    if (expected === 'value' || expected === 'value or ]') {
      if (character === '[' || character === '{') {
        open.push(character)
        expected = character === '[' ? 'value or ]' : 'name or }'
        offset += 1
      } else if (character === ']' && expected === 'value or ]') {
        open.pop()
        expected = closed()
        offset += 1
      } else {
        const end = character === '"' ? endOfString(text, offset) : skip(SCALAR, text, offset)
        if (end === offset) return offset
        offset = end
        expected = closed()
      }
    } else if (expected === 'name' || expected === 'name or }') {
      if (character === '}' && expected === 'name or }') {
        open.pop()
        expected = closed()
        offset += 1
      } else {
        const end = character === '"' ? endOfString(text, offset) : offset
        if (end === offset) return offset
        offset = end
        expected = 'colon'
      }
    } else if (expected === 'colon') {
      if (character !== ':') return offset
      expected = 'value'
      offset += 1
    } else if (expected === 'comma or end') {
      if (character === ',') expected = inside === '[' ? 'value' : 'name'
      else if (character === (inside === '[' ? ']' : '}')) {
        open.pop()
        expected = closed()
      } else return offset
      offset += 1
    } else return offset
  }
  return offset
}

/** Returns the offset behind a string, or `start` if it never ends. Part by part, since it may be megabytes long. */
function endOfString(text: string, start: number): number {
  let offset = start + 1
  while (text[offset] !== '"') {
    const next = skip(STRING_PART, text, offset)
    if (next === offset) return start
    offset = next
  }
  return offset + 1
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset
  const match = pattern.exec(text)
  return match === null ? offset : offset + match[0].length
}
