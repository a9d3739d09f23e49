/** Counts the calls of a batch while its body arrives, before it is known whether the body is valid. */
import { BACKSLASH, CLOSE, COMMA, MEANING, OPEN, OTHER, QUOTE, QUOTE_BYTE, SPACE } from './json-bytes.ts'

export interface CallCounter {
  add(bytes: Uint8Array): void
  /** The calls in the bytes so far, the one that is incomplete included. */
  readonly count: number
}

/** The calls are in an array, which is in an object. */
const CALLS_DEPTH = 2

/**
 * Counts the items of the last array or object at the depth of the calls. In a valid batch that is the array of calls:
 * of fields of the same name JSON takes the last, and other fields are refused.
 */
export function callCounter(): CallCounter {
  let depth = 0
  let commas = 0
  let isEmpty = true
  let isInString = false
  let isEscaped = false

  /** Returns the offset behind the string's end, or the length of `bytes`. */
  const skipString = (bytes: Uint8Array, start: number): number => {
    let index = start
    if (bytes.length === 0) return 0
    if (isEscaped) {
      isEscaped = false
      index += 1
    }
    for (; index < bytes.length; index++) {
      const byte = bytes[index]
      if (byte === QUOTE_BYTE) {
        isInString = false
        return index + 1
      }
      if (byte === BACKSLASH) index += 1
    }
    isEscaped = index > bytes.length
    return bytes.length
  }

  return {
    add(bytes) {
      let index = isInString ? skipString(bytes, 0) : 0
      while (index < bytes.length) {
        const meaning = MEANING[bytes[index]!]!
        index += 1
        if (meaning === SPACE || (meaning === OTHER && depth !== CALLS_DEPTH)) continue
        if (depth === CALLS_DEPTH && meaning === COMMA) commas += 1
        else if (depth === CALLS_DEPTH && meaning !== CLOSE) isEmpty = false
        if (meaning === QUOTE) {
          isInString = true
          index = skipString(bytes, index)
        } else if (meaning === CLOSE) depth -= 1
        else if (meaning === OPEN) {
          depth += 1
          if (depth === CALLS_DEPTH) {
            commas = 0
            isEmpty = true
          }
        }
      }
    },
    get count() {
      return isEmpty ? 0 : commas + 1
    },
  }
}
