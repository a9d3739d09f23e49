/** The rows of a columns request: one array per field, of numbers or of the places of words in their list. */
import type { TObject } from 'typebox'
import { type Scalar, scalarsOf } from '../catalogue/columns.ts'

/** A field of an operation's input or output. */
export interface Field {
  readonly name: string
  readonly rules: Scalar
  /** The words that the field takes; null: it takes numbers. */
  readonly words: readonly string[] | null
  /** Whether a result may lack the field; the item of its row is then null. */
  readonly isOptional: boolean
}

export const fieldsOf = (schema: TObject): readonly Field[] =>
  Object.entries(scalarsOf(schema)).map(([name, rules]) => ({
    name,
    rules,
    words: rules.enum ?? null,
    isOptional: !schema.required?.includes(name),
  }))

/** The message for the first column of a body without rows. */
export const NO_ROWS = 'must not be empty: it needs at least 1 item'

/** Stands for a word that is not in the list. */
export const NO_WORD = 255
/** The most words of a column that are kept although they are not in the list. */
const MOST_UNKNOWN = 16
/** Stands for a word that is missing; a missing number is NaN. */
const MISSING_WORD = 254

/** The item that stands for a missing value. */
export const missingIn = ({ words }: Pick<Field, 'words'>): number =>
  words === null ? Number.NaN : MISSING_WORD

export interface Column {
  /** One item per row, or a single one for all rows. */
  readonly values: Float64Array | Uint8Array
  readonly isScalar: boolean
  /** The first words that the field does not take, for the messages that suggest a word of the list. */
  readonly unknown: readonly string[]
}

export interface Table {
  readonly rows: number
  /** The columns in the order of the operation's fields. */
  readonly columns: readonly Column[]
}

/** A request with at least this many rows is computed in pieces by several threads, which share its arrays. */
export const SHARED_ROWS = 4_096

export const doubles = (rows: number): Float64Array =>
  new Float64Array(rows < SHARED_ROWS ? new ArrayBuffer(8 * rows) : new SharedArrayBuffer(8 * rows))

export const codes = (rows: number): Uint8Array =>
  new Uint8Array(rows < SHARED_ROWS ? new ArrayBuffer(rows) : new SharedArrayBuffer(rows))

export type Room = ReturnType<typeof roomBehind>

/**
 * Makes arrays for a table and its results: after the body, if it is in shared memory and there is room. They may hold bytes
 * of earlier requests, so every row must be written.
 */
export function roomBehind({ buffer, byteLength, byteOffset }: Uint8Array) {
  let end = byteOffset + byteLength
  /** Returns the offset of the reserved bytes; null: there is no room. */
  const reserve = (bytes: number): number | null => {
    const start = Math.ceil(end / 8) * 8
    if (!isShared(buffer) || start + bytes > buffer.byteLength) return null
    end = start + bytes
    return start
  }
  return {
    doubles(rows: number): Float64Array {
      const start = reserve(8 * rows)
      return start === null ? doubles(rows) : new Float64Array(buffer, start, rows)
    },
    codes(rows: number): Uint8Array {
      const start = reserve(rows)
      return start === null ? codes(rows) : new Uint8Array(buffer, start, rows)
    },
  }
}

export const isShared = (buffer: ArrayBufferLike): buffer is SharedArrayBuffer =>
  buffer instanceof SharedArrayBuffer

export function codeOf(words: readonly string[], word: string, unknown: string[]): number {
  const code = words.indexOf(word)
  return code === -1 ? codeOfUnknown(words, word, unknown) : code
}

/** The code of a word that is not in the list: one after those of the list for the first such words, NO_WORD for the others. */
export function codeOfUnknown(words: readonly string[], word: string, unknown: string[]): number {
  const known = unknown.indexOf(word)
  if (known !== -1) return words.length + known
  return unknown.length < MOST_UNKNOWN ? words.length + unknown.push(word) - 1 : NO_WORD
}

/** The value of a field in a row, as a single call would send it; a word that is not kept becomes the empty text. */
export function valueAt(
  { words }: Field,
  { isScalar, unknown, values }: Column,
  row: number,
): number | string {
  const value = values[isScalar ? 0 : row]
  return words === null ? value : (words[value] ?? unknown[value - words.length] ?? '')
}

export const isMissing = (field: Field, { isScalar, values }: Column, row: number): boolean =>
  Object.is(values[isScalar ? 0 : row], missingIn(field))
