/**
 * Bytes as text by the alphabet of base64url (RFC 4648, section 5), without padding. Without Buffer, which browsers do not
 * have: the console fits forests too.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LETTERS = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0))
const NONE = 0xff
const DIGITS = new Uint8Array(0x80).fill(NONE)
LETTERS.forEach((letter, digit) => {
  DIGITS[letter] = digit
})

export function toBase64url(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < bytes.length; i++) {
    held = ((held << 8) | bytes[i]) & 0xffff
    for (bits += 8; bits >= 6; bits -= 6) text[at++] = LETTERS[(held >>> (bits - 6)) & 0x3f]
  }
  if (bits > 0) text[at] = LETTERS[(held << (6 - bits)) & 0x3f]
  return new TextDecoder().decode(text)
}

/** Undefined where the text has another character, or is not the only text of its bytes. */
export function fromBase64url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const digit = code < 0x80 ? DIGITS[code] : NONE
    if (digit === NONE) return undefined
    held = ((held << 6) | digit) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (held >>> bits) & 0xff
  }
  return bits < 6 && (held & ((1 << bits) - 1)) === 0 ? bytes : undefined
}
