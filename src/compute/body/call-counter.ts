/**
 * Counts the calls of a batch, or the rows of columns, while a body arrives, before it is known whether it is valid. So a guest
 * with 50 credits who sends 16 MiB of calls is refused after the first 8 KB, before the rest is received and parsed.
 */
import {
  BACKSLASH,
  CLOSE,
  COMMA,
  MEANING,
  OPEN,
  OTHER,
  QUOTE,
  QUOTE_BYTE,
  SPACE,
} from '../../wire/json-bytes.ts'

export interface CallCounter {
  add(bytes: Uint8Array): void
  /** The calls or rows in the bytes so far, including an incomplete one. */
  readonly count: number
}

/** The calls are in an array, which is in an object. */
const CALLS_DEPTH = 2
/** Columns are arrays in an object, which is in an object. */
const ROWS_DEPTH = 3

/**
 * Counts the items of the last array or object at the depth of the calls. In a valid batch that is the array of calls:
 * JSON.parse takes the last of several fields with one name, and other fields are refused.
 */
export const callCounter = (): CallCounter => itemCounter(CALLS_DEPTH, (last) => last)

/** Counts the items of the longest column. Valid columns have one length, or are scalars, which are one row. */
export const rowCounter = (): CallCounter => itemCounter(ROWS_DEPTH, (last, most) => Math.max(1, most, last))

/**
 * @param countOf gives the count from the numbers of items of two arrays or objects at the depth: the last one, and the longest
 * one before it within the same array or object
 */
function itemCounter(itemsDepth: number, countOf: (last: number, most: number) => number): CallCounter {
  let depth = 0
  let commas = 0
  let isEmpty = true
  let most = 0
  let isInString = false
  let isEscaped = false
  const last = (): number => (isEmpty ? 0 : commas + 1)

  /** Returns the offset after the string's end, or the length of `bytes`. */
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
        const meaning = MEANING[bytes[index]]
        index += 1
        if (meaning === SPACE || (meaning === OTHER && depth !== itemsDepth)) continue
        if (depth === itemsDepth && meaning === COMMA) commas += 1
        else if (depth === itemsDepth && meaning !== CLOSE) isEmpty = false
        if (meaning === QUOTE) {
          isInString = true
          index = skipString(bytes, index)
        } else if (meaning === CLOSE) depth -= 1
        else if (meaning === OPEN) {
          depth += 1
          if (depth === itemsDepth) {
            most = Math.max(most, last())
            commas = 0
            isEmpty = true
          } else if (depth === itemsDepth - 1) {
            most = 0
            commas = 0
            isEmpty = true
          }
        }
      }
    },
    get count() {
      return countOf(last(), most)
    },
  }
}
