/** The bytes of a field in a JSON object: arguments of a tool call become the body of a request as they were sent. */
import { BACKSLASH, CLOSE, COMMA, endOfString, MEANING, OPEN, QUOTE, QUOTE_BYTE } from '../body/json-bytes.ts'

const COLON_BYTE = 0x3a

/**
 * The value of the field, with white space around it; null: the object has no such field. Of several, the last, as JSON.parse
 * takes it.
 * @param json an object that was parsed without an error
 */
export function fieldBytes(json: Buffer, name: string): Buffer | null {
  let found: Buffer | null = null
  for (let index = json.indexOf(QUOTE_BYTE); index !== -1; index = json.indexOf(QUOTE_BYTE, index)) {
    const nameEnd = endOfString(json, index)
    const start = json.indexOf(COLON_BYTE, nameEnd) + 1
    const end = endOfValue(json, start)
    if (isName(json.subarray(index, nameEnd + 1), name)) found = json.subarray(start, end)
    if (MEANING[json[end]] !== COMMA) break
    index = end
  }
  return found
}

/** The index of the comma or bracket behind a value. */
function endOfValue(json: Buffer, start: number): number {
  let depth = 0
  for (let index = start; index < json.length; index++) {
    const meaning = MEANING[json[index]]
    if (meaning === QUOTE) index = endOfString(json, index)
    else if (meaning === OPEN) depth += 1
    else if (meaning === CLOSE && --depth < 0) return index
    else if (meaning === COMMA && depth === 0) return index
  }
  return json.length
}

function isName(quoted: Buffer, name: string): boolean {
  if (!quoted.includes(BACKSLASH)) return quoted.length === name.length + 2 && quoted.includes(name)
  return JSON.parse(quoted.toString()) === name
}
