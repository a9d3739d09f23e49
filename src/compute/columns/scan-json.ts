/** Reads the usual JSON body of a columns request from its bytes into a table, without building its values first. */
import { MEANING, SPACE } from '../../body/json-bytes.ts'
import { readNumber } from './read-number.ts'
import { type Column, codes, doubles, type Field, scalarColumn, type Table } from './table.ts'

const [SPACE_BYTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [
  0x20, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
]
const COLUMNS = Buffer.from('"columns"')
/** Stands for an offset where something else stands than expected; there is no byte. */
const NOWHERE = -1

/** A place in a body. */
interface Cursor {
  readonly bytes: Buffer
  at: number
}

/**
 * Returns null for a body that has a fault, or that states its table in an unusual way, such as by escapes or by a name
 * given twice: it must be parsed.
 */
export function scanJson(body: Uint8Array, fields: readonly Field[], maxRows: number): Table | null {
  const bytes = Buffer.from(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength)
  const cursor = { bytes, at: 0 }
  if (!(take(cursor, OPEN) && takeText(cursor, COLUMNS) && take(cursor, COLON) && take(cursor, OPEN)))
    return null
  const names = fields.map(({ name }) => Buffer.from(JSON.stringify(name)))
  const columns: (Column | null)[] = fields.map(() => null)
  let rows: number | null = null
  do {
    const index = names.findIndex((name) => takeText(cursor, name))
    if (index === -1 || columns[index] !== null || !take(cursor, COLON)) return null
    const column: Column | null = take(cursor, OPEN_LIST)
      ? listed(cursor, fields[index], rows, maxRows)
      : scalar(cursor, fields[index])
    if (column === null) return null
    columns[index] = column
    if (!column.isScalar) rows = column.values.length
  } while (take(cursor, COMMA))
  if (!(take(cursor, CLOSE) && take(cursor, CLOSE)) || behindSpace(bytes, cursor.at) < bytes.length)
    return null
  const all = columns.map((column, index) => column ?? byDefault(fields[index]))
  return all.includes(null) ? null : { rows: rows ?? 1, columns: all as Column[] }
}

/** Moves behind the byte, and white space before it, if it stands there. */
function take(cursor: Cursor, byte: number): boolean {
  const at = behindSpace(cursor.bytes, cursor.at)
  if (cursor.bytes[at] !== byte) return false
  cursor.at = at + 1
  return true
}

/** As above, for several bytes. */
function takeText(cursor: Cursor, text: Buffer): boolean {
  const at = behindSpace(cursor.bytes, cursor.at)
  if (!startsWith(cursor.bytes, at, text)) return false
  cursor.at = at + text.length
  return true
}

function startsWith(bytes: Buffer, at: number, text: Buffer): boolean {
  let length = 0
  while (length < text.length && bytes[at + length] === text[length]) length += 1
  return length === text.length
}

function behindSpace(bytes: Buffer, start: number): number {
  let at = start
  while (bytes[at] <= SPACE_BYTE && MEANING[bytes[at]] === SPACE) at += 1
  return at
}

const byDefault = (field: Field): Column | null =>
  field.rules.default === undefined ? null : scalarColumn(field, field.rules.default)

function scalar(cursor: Cursor, { words }: Field): Column | null {
  const { bytes } = cursor
  const start = behindSpace(bytes, cursor.at)
  if (words !== null) {
    const values = new Uint8Array(1)
    cursor.at = readWord(bytes, start, quoted(words), values, 0)
    return cursor.at === NOWHERE ? null : { values, isScalar: true }
  }
  const values = new Float64Array(1)
  cursor.at = start
  while (cursor.at < bytes.length && bytes[cursor.at] !== COMMA && bytes[cursor.at] !== CLOSE) cursor.at += 1
  return readByEngine(bytes, start, cursor.at, values, 0) === 1 ? { values, isScalar: true } : null
}

/** @param rows of the columns before; null: this is the first */
function listed(cursor: Cursor, { words }: Field, rows: number | null, maxRows: number): Column | null {
  const end = cursor.bytes.indexOf(CLOSE_LIST, cursor.at)
  // An item and its comma have two bytes at least.
  const most = Math.min(rows ?? maxRows, (end - cursor.at + 1) >> 1)
  if (most < (rows ?? 1)) return null
  const values = words === null ? doubles(most) : codes(most)
  const count =
    values instanceof Float64Array
      ? readNumbers(cursor, values, end)
      : readWords(cursor, quoted(words!), values)
  return count < (rows ?? 1) ? null : { values: values.subarray(0, count), isScalar: false }
}

/**
 * Reads numbers up to the end of their list. Returns how many there are, or 0 where the list is not as expected.
 * From the first long number on, the engine reads faster than a loop over digits.
 */
function readNumbers(cursor: Cursor, numbers: Float64Array, end: number): number {
  const { bytes } = cursor
  let at = cursor.at
  for (let index = 0; index < numbers.length; index++) {
    const start = behindSpace(bytes, at)
    at = behindSpace(bytes, readNumber(bytes, start, numbers, index))
    if (bytes[at] === COMMA) at += 1
    else {
      cursor.at = end + 1
      return at === end ? index + 1 : readByEngine(bytes, start, end, numbers, index)
    }
  }
  return 0
}

/** Reads the numbers from `start` on to behind those that are read already. */
function readByEngine(
  bytes: Buffer,
  start: number,
  end: number,
  numbers: Float64Array,
  already: number,
): number {
  const text = bytes.subarray(start, end)
  // Nested values could be deep.
  if (text.includes(OPEN_LIST) || text.includes(OPEN)) return 0
  const list = parsed(`[${text.toString('latin1')}]`)
  if (list === null || list.length === 0 || already + list.length > numbers.length) return 0
  for (let index = 0; index < list.length; index++) {
    const number = list[index]
    if (typeof number !== 'number') return 0
    numbers[already + index] = number
  }
  return already + list.length
}

function parsed(text: string): unknown[] | null {
  try {
    return JSON.parse(text) as unknown[]
  } catch {
    return null
  }
}

/** Reads words up to the end of their list. Returns how many there are, or 0 where the list is not as expected. */
function readWords(cursor: Cursor, words: readonly Buffer[], codes: Uint8Array): number {
  const { bytes } = cursor
  for (let index = 0; index < codes.length; index++) {
    const at = readWord(bytes, behindSpace(bytes, cursor.at), words, codes, index)
    if (at === NOWHERE) return 0
    cursor.at = at
    if (take(cursor, COMMA)) continue
    return take(cursor, CLOSE_LIST) ? index + 1 : 0
  }
  return 0
}

/** Reads one of the words, in its quotes, as its code. Returns the offset behind it, or −1. */
function readWord(
  bytes: Buffer,
  at: number,
  words: readonly Buffer[],
  codes: Uint8Array,
  index: number,
): number {
  for (let code = 0; code < words.length; code++)
    if (startsWith(bytes, at, words[code])) {
      codes[index] = code
      return at + words[code].length
    }
  return NOWHERE
}

const quoted = (words: readonly string[]): Buffer[] => words.map((word) => Buffer.from(JSON.stringify(word)))
