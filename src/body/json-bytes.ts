/** The bytes that structure JSON text, for scanners that do not parse it. */
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

/** The index of the quote that ends the string whose first quote is at `start`. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== QUOTE_BYTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}
