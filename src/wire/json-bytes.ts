/** Reads JSON as bytes, without parsing it: finds the bytes that structure it, and the value of a field as it was sent. */
export const [OTHER, SPACE, COMMA, OPEN, CLOSE, QUOTE] = [0, 1, 2, 3, 4, 5]

/** The meaning of a byte outside of strings. */
export const MEANING = new Uint8Array(256)
for (const [characters, meaning] of [
  [' \t\n\r', SPACE],
  [',', COMMA],
  ['[{', OPEN],
  [']}', CLOSE],
  ['"', QUOTE],
] as const)
  for (const character of characters) MEANING[character.charCodeAt(0)] = meaning

/** The bytes that end a string, and that escape a byte in it. */
export const QUOTE_BYTE = 0x22
export const BACKSLASH = 0x5c
const COLON_BYTE = 0x3a

/** The index of the quote that ends the string whose first quote is at `start`. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== QUOTE_BYTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}

/**
 * The value of a field, with white space around it; null: the object has no such field. Of several fields with this name, the
 * last one counts, as for JSON.parse.
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

/** The index of the comma or bracket after a value. */
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
