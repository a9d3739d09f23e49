/** Reads tables from text: separator, headings and row labels are recognised, and the first cell that is no number is named. */
import { plural, whole } from '../numbers.js'
import { EXACT_DIGITS, powers, readPlainRow } from './plain-row.js'

const [TAB, NEWLINE, RETURN, SPACE, QUOTE] = [9, 10, 13, 32, 34]
const [PLUS, COMMA, MINUS, POINT, ZERO, NINE] = [43, 44, 45, 46, 48, 57]
const [OPEN, CLOSE] = [0x5b, 0x5d]
const decoder = new TextDecoder()

/** Message and place of the first fault of a table. */
export class TableError extends Error {}

/**
 * UTF-8 text, CSV or JSON → `{ values, rows, columns, names, hasHeader, labels, words, separator, json }`: the numbers row by
 * row, the names of the columns, the labels of the rows or null, and the rows as JSON text in UTF-8, or null where the cells are
 * not written as JSON writes numbers. With `hasWords`, columns of words are read too: `words` holds for each column the list of
 * its words, whose places are its values, or null. `onProgress` is called with the share that was read.
 */
export function readTable(bytes, { hasWords = false, onProgress = () => {} } = {}) {
  const text = withoutMark(bytes)
  const first = text.find((byte) => byte > SPACE)
  if (first === undefined) throw new TableError('There is no number yet.')
  if (first === OPEN || first === 0x7b) return readJson(decoder.decode(text), hasWords)
  return readCells(text, formatOf(text, hasWords), onProgress)
}

const withoutMark = (bytes) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

const separators = [
  { byte: TAB, name: 'tab' },
  { byte: 59, name: 'semicolon' },
  { byte: 124, name: 'vertical bar' },
  { byte: COMMA, name: 'comma' },
]

/** Judged by the first lines. */
function formatOf(text, hasWords) {
  const sample = decoder
    .decode(text.subarray(0, 64_000))
    .split(/\r?\n|\r/)
    .filter((line) => line.trim() !== '')
  const lines = (sample.length > 1 && text.length > 64_000 ? sample.slice(0, -1) : sample).slice(0, 20)
  const found = separators.find(({ byte }) => lines.some((line) => line.includes(String.fromCharCode(byte))))
  const separator = found ?? {
    byte: lines.some((line) => /\S\s+\S/.test(line)) ? SPACE : COMMA,
    name: 'space',
  }
  const rows = lines.map((line) => cellsOf(line, separator.byte))
  const others = separator.byte === COMMA ? '' : lines.join('')
  const isComma =
    separator.byte !== COMMA && separator.byte !== SPACE && /\d,\d/.test(others) && !/\d\.\d/.test(others)
  const isNumber = (cell) => cell !== '' && Number.isFinite(Number(isComma ? cell.replace(',', '.') : cell))
  const [head, ...body] = rows
  const hasLabels =
    !hasWords &&
    body.length > 0 &&
    head.length > 1 &&
    body.every((row) => row.length > 1 && !isNumber(row[0]) && row.slice(1).some(isNumber))
  const named = hasLabels ? head.slice(1) : head
  const hasHeader =
    rows.length > 1 && named.every((cell) => !isNumber(cell)) && body.some((row) => row.some(isNumber))
  const cells = hasHeader ? body : rows
  const words = head.map((_, column) =>
    hasWords && cells.every((row) => row[column] !== '' && !isNumber(row[column])) ? new Map() : null,
  )
  return {
    words,
    separator,
    decimal: isComma ? COMMA : POINT,
    hasHeader,
    hasLabels,
    head: head.map(unquoted),
  }
}

function cellsOf(line, byte) {
  const cells = (byte === SPACE ? line.trim().split(/\s+/) : line.split(String.fromCharCode(byte))).map(
    (cell) => unquoted(cell.trim()),
  )
  return cells.length > 1 && cells.at(-1) === '' ? cells.slice(0, -1) : cells
}

const unquoted = (cell) => cell.trim().replace(/^"(.*)"$/, '$1')

function readCells(text, format, onProgress) {
  const { separator, decimal, hasHeader, hasLabels, head, words } = format
  const hasWords = words.some((list) => list !== null)
  const byte = separator.byte
  const made = {
    values: new Float64Array(Math.max(1024, text.length >> 2)),
    // A row has two bytes more as JSON, and takes two in the file at least.
    json: decimal === POINT && !hasWords ? new Uint8Array(2 * text.length + 2) : null,
    ...{ count: 0, written: 0, columns: 0 },
  }
  const labels = hasLabels ? [] : null
  let [rows, line, at] = [0, 0, 0]
  let nextProgress = 1 << 20
  let isHeaderLeft = hasHeader
  const end = text.length

  while (at < end) {
    line++
    let stop = plainRowFrom(at)
    if (stop === -1) {
      stop = at
      while (stop < end && text[stop] !== NEWLINE && text[stop] !== RETURN) stop++
      if (!isBlank(text, at, stop, byte)) {
        if (isHeaderLeft) isHeaderLeft = false
        else readRow(at, stop)
      }
    }
    if (text[stop] === RETURN && text[stop + 1] === NEWLINE) stop++
    at = stop + 1
    if (at < nextProgress) continue
    nextProgress += 1 << 20
    onProgress(at / end)
  }
  if (rows === 0) throw new TableError('There is no number yet.')
  const { values, json, count, written, columns } = made
  const own = hasHeader && !hasLabels && head.length === columns ? head : head.slice(1)
  return {
    values: values.subarray(0, count),
    rows,
    columns,
    names:
      hasHeader && own.length === columns
        ? own
        : Array.from({ length: columns }, (_, i) => `Column ${i + 1}`),
    hasHeader,
    labels,
    words: hasWords ? words.map((list) => list && [...list.keys()]) : null,
    separator: columns === 1 && !hasLabels ? null : separator.name,
    json: json?.subarray(0, written) ?? null,
  }

  /** The end of the line if it is a plain row, which is then read; else -1. The first row tells the number of columns. */
  function plainRowFrom(from) {
    if (made.json === null || hasLabels || rows === 0) return -1
    reserve(made.columns)
    const stop = readPlainRow(text, from, byte, made)
    if (stop !== -1) rows++
    return stop
  }

  function reserve(cells) {
    if (made.count + cells > made.values.length)
      made.values = grown(made.values, 2 * made.values.length + cells)
  }

  function readRow(from, to) {
    let column = hasLabels ? -1 : 0
    let place = from
    while (place <= to) {
      let [start, stop] = [place, place]
      if (byte === SPACE) {
        while (start < to && text[start] <= SPACE) start++
        stop = start
        while (stop < to && text[stop] > SPACE) stop++
      } else while (stop < to && text[stop] !== byte) stop++
      place = stop + 1
      while (start < stop && (text[start] <= SPACE || text[start] === QUOTE)) start++
      let last = stop
      while (last > start && (text[last - 1] <= SPACE || text[last - 1] === QUOTE)) last--
      // A separator at the end of a line ends the last cell and does not begin another.
      if (start === last && place > to && column > 0) break
      if (column === -1) labels.push(decoder.decode(text.subarray(start, last)))
      else keep(start, last, column)
      column++
    }
    if (rows === 0) made.columns = column
    if (column !== made.columns)
      throw new TableError(
        `Row ${whole(rows + 1)} (line ${whole(line)}) has ${plural(column, 'cell')}, but the first row has ${whole(made.columns)}.`,
      )
    if (made.json !== null) made.json[made.written++] = CLOSE
    rows++
  }

  function placeOf(list, start, last, column) {
    const word = decoder.decode(text.subarray(start, last))
    if (!list.has(word)) list.set(word, list.size)
    if (list.size > MOST_WORDS)
      throw new TableError(`Column ${column + 1} has more than ${whole(MOST_WORDS)} different words.`)
    return list.get(word)
  }

  function keep(start, last, column) {
    const list = words[column] ?? null
    const value = list === null ? numberAt(text, start, last, decimal) : placeOf(list, start, last, column)
    if (!Number.isFinite(value)) {
      const cell = decoder.decode(text.subarray(start, Math.min(last, start + 40)))
      const name = hasHeader ? ` (${hasLabels ? head[column + 1] : head[column]})` : ''
      throw new TableError(
        `Row ${whole(rows + 1)}, column ${whole(column + 1)}${name}, line ${whole(line)}: ${cell === '' ? 'the cell is empty' : `“${cell}” is not a number`}.`,
      )
    }
    reserve(1)
    made.values[made.count++] = value
    if (made.json === null) return
    if (!isJsonNumber(text, start, last)) {
      made.json = null
      return
    }
    const { json } = made
    if (column > 0 || rows > 0) json[made.written++] = COMMA
    if (column === 0) json[made.written++] = OPEN
    for (let i = start; i < last; i++) json[made.written++] = text[i]
  }
}

/** More words than this are a column of another kind. */
const MOST_WORDS = 1_000

const grown = (array, length) => {
  const made = new array.constructor(length)
  made.set(array)
  return made
}

function isBlank(text, from, to, separator) {
  for (let i = from; i < to; i++) if (text[i] > SPACE && text[i] !== separator) return false
  return true
}

const isDigit = (byte) => byte >= ZERO && byte <= NINE

/** Exact where up to 15 digits and a power of ten up to 22 suffice, as Clinger 1990 shows; else by the browser. */
function numberAt(text, start, last, decimal) {
  let at = start
  const isNegative = text[at] === MINUS
  if (isNegative || text[at] === PLUS) at++
  let mantissa = 0
  let digits = 0
  let scale = 0
  const first = at
  while (at < last && isDigit(text[at])) {
    mantissa = mantissa * 10 + text[at++] - ZERO
    if (mantissa > 0) digits++
  }
  let seen = at - first
  if (at < last && text[at] === decimal) {
    at++
    const point = at
    while (at < last && isDigit(text[at])) {
      mantissa = mantissa * 10 + text[at++] - ZERO
      if (mantissa > 0) digits++
    }
    scale = at - point
    seen += scale
  }
  if (seen === 0) return NaN
  if (at === last && digits <= EXACT_DIGITS && scale < powers.length) {
    const value = mantissa / powers[scale]
    return isNegative ? -value : value
  }
  const cell = decoder.decode(text.subarray(start, last))
  const plain = decimal === POINT ? cell : cell.replace(',', '.')
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN
}

/** Whether JSON writes a number so: no plus sign, no leading zero, digits on both sides of the point. */
function isJsonNumber(text, start, last) {
  let at = start
  if (text[at] === MINUS) at++
  if (!isDigit(text[at]) || !isDigit(text[last - 1])) return false
  if (text[at] === ZERO && at + 1 < last && isDigit(text[at + 1])) return false
  if (text[at] === ZERO || isDigit(text[at])) while (at < last && isDigit(text[at])) at++
  return at === last || text[at] !== POINT || isDigit(text[at + 1])
}

/** An array of arrays, an array of numbers (one column), or an object of equally long arrays (columns with names). */
function readJson(text, hasWords) {
  let given
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw new TableError(`This is not JSON: ${error.message}`)
  }
  if (!Array.isArray(given)) {
    const lists = Object.entries(given.columns ?? given).filter(([, value]) => Array.isArray(value))
    if (lists.length === 1 && Array.isArray(lists[0][1][0])) return fromRows(lists[0][1], null, hasWords)
    if (lists.length === 0) throw new TableError('The JSON holds no array of numbers.')
    const length = lists[0][1].length
    const odd = lists.find(([, list]) => list.length !== length)
    if (odd)
      throw new TableError(
        `“${odd[0]}” has ${plural(odd[1].length, 'value')}, but “${lists[0][0]}” has ${whole(length)}.`,
      )
    return fromRows(
      Array.from({ length }, (_, i) => lists.map(([, list]) => list[i])),
      lists.map(([name]) => name),
      hasWords,
    )
  }
  return fromRows(Array.isArray(given[0]) ? given : given.map((value) => [value]), null, hasWords)
}

function fromRows(rows, names, hasWords) {
  if (rows.length === 0 || !Array.isArray(rows[0]) || rows[0].length === 0)
    throw new TableError('There is no number yet.')
  const columns = rows[0].length
  const values = new Float64Array(rows.length * columns)
  const words = rows[0].map((cell) => (hasWords && typeof cell === 'string' ? new Map() : null))
  rows.forEach((row, i) => {
    if (!Array.isArray(row) || row.length !== columns)
      throw new TableError(
        `Row ${whole(i + 1)} has ${plural(row?.length ?? 0, 'cell')}, but the first row has ${whole(columns)}.`,
      )
    row.forEach((cell, j) => {
      const list = words[j]
      if (list !== null && typeof cell === 'string') {
        if (!list.has(cell)) list.set(cell, list.size)
        values[i * columns + j] = list.get(cell)
      } else if (list === null && typeof cell === 'number' && Number.isFinite(cell)) {
        values[i * columns + j] = cell
      } else {
        throw new TableError(
          `Row ${whole(i + 1)}, column ${whole(j + 1)}: ${JSON.stringify(cell)?.slice(0, 40)} is not a ${list === null ? 'number' : 'word'}.`,
        )
      }
    })
  })
  return {
    ...{ values, rows: rows.length, columns, hasHeader: names !== null, labels: null, separator: 'JSON' },
    words: words.some((list) => list !== null) ? words.map((list) => list && [...list.keys()]) : null,
    names: names ?? Array.from({ length: columns }, (_, i) => `Column ${i + 1}`),
    json: null,
  }
}

/** One line of several numbers is a list where a column is wanted. */
export function asColumn(table) {
  if (table.rows !== 1 || table.columns === 1) return table
  return { ...table, rows: table.columns, columns: 1, names: ['Column 1'], json: null }
}
