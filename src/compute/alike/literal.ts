/** Comparison of a body with expected bytes, four at a time. */

/** Bytes with a view that reads four of them at once. */
export interface Viewed {
  readonly bytes: Buffer
  readonly view: DataView
}

export const viewed = (bytes: Buffer): Viewed => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
})

export interface Literal {
  readonly bytes: Buffer
  /** The bytes four by four, then the last four; none where there are fewer. */
  readonly words: Int32Array
}

const WORD = 4

/** @param text of ASCII characters */
export function literal(text: string): Literal {
  const bytes = Buffer.from(text, 'latin1')
  const words = bytes.length < WORD ? 0 : Math.ceil(bytes.length / WORD)
  const word = (_: unknown, index: number): number =>
    bytes.readInt32LE(Math.min(WORD * index, bytes.length - WORD))
  return { bytes, words: Int32Array.from({ length: words }, word) }
}

/** Returns the offset behind the literal if it stands at `start`, else −1. */
export function behind({ bytes: expected, words }: Literal, { bytes, view }: Viewed, start: number): number {
  const end = start + expected.length
  if (end > bytes.length) return -1
  const last = words.length - 1
  if (last === -1) return isSame(expected, bytes, start) ? end : -1
  for (let index = 0, at = start; index < last; index++, at += WORD)
    if (view.getInt32(at, true) !== words[index]) return -1
  return view.getInt32(end - WORD, true) === words[last] ? end : -1
}

function isSame(expected: Buffer, bytes: Buffer, start: number): boolean {
  for (let index = 0; index < expected.length; index++)
    if (bytes[start + index] !== expected[index]) return false
  return true
}
