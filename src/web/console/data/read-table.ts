/** Reads tables from typed text and from files. */
// @ts-nocheck: to be converted
import { buildTable } from './build-table.ts'
import { rowsOfCsv } from './rows-of-csv.ts'
import { rowsOfJson } from './rows-of-json.ts'
import { TableError } from './table.ts'

/** The beginning of JSON. A heading of CSV may be in square brackets too: `[Strike],[Spot]`. */
const JSON_START = /^\s*(\{|\[\s*([[{"\]\d-]|true|false|null|$))/

/**
 * The table of CSV, TSV or JSON, as build-table.ts describes it.
 * @param given `types`, `taken`: see buildTable; `isList`: whether one line of several cells is a column; `own`
 * and `isRagged`: see rowsOfJson
 */
export function readTable(text, { types, taken, isList = false, ...given } = {}) {
  const source = JSON_START.test(text) ? rowsOfJson(text, given) : rowsOfCsv(text)
  return { ...buildTable(isList ? asList(source) : source, { types, taken }), others: source.others ?? {} }
}

/** The table of a file; that of a workbook has also its `sheets`, and the `sheet` that was read. */
export async function readFile(file, { sheet = null, ...given }) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const starts = (...signature) => signature.every((byte, i) => bytes[i] === byte)
  if (starts(0x50, 0x4b, 0x03, 0x04)) {
    const { rowsOfWorkbook } = await import('./rows-of-workbook.ts')
    const { sheets, ...source } = await rowsOfWorkbook(bytes, sheet)
    return { ...buildTable(source, given), sheets, sheet: source.sheet }
  }
  if (starts(0xd0, 0xcf, 0x11, 0xe0))
    throw new TableError(
      'This is a workbook of an old version, or one with a password. Save it as XLSX or CSV.',
    )
  const text = textOf(bytes, starts)
  if (text.slice(0, 10_000).includes('\0'))
    throw new TableError('This is not a table: CSV, TSV, JSON and XLSX are read.')
  return readTable(text, given)
}

/** One table of several files, side by side; the cells below the shorter ones are empty. */
export async function readFiles(files, { types = {}, taken = [], ...given }) {
  if (files.length === 1)
    return { ...(await readFile(files[0], { ...given, types, taken })), name: files[0].name }
  const tables = []
  let first = 0
  for (const [place, file] of files.entries()) {
    const own = Object.entries(types).filter(([column]) => Number(column) >= first)
    const chosen = Object.fromEntries(own.map(([column, type]) => [Number(column) - first, type]))
    const rows = taken.flatMap((key) => (ofFile(key) === place ? [keyIn(key)] : []))
    const table = await readFile(file, { ...given, types: chosen, taken: rows })
    first += table.columns.length
    tables.push({ ...table, name: file.name })
  }
  return beside(tables)
}

/** The place of the file in a key of a row or kind of several files, such as `0/7`, and the key in that file. */
const ofFile = (key) => Number(String(key).split('/')[0])
function keyIn(key) {
  const [, own] = String(key).split('/')
  return /^\d+$/.test(own) ? Number(own) : own
}

function beside(tables) {
  const rows = tables.reduce((most, table) => Math.max(most, table.rows), 0)
  const columns = tables.flatMap(({ columns, name }) =>
    columns.map((column) => {
      const values = new Float64Array(rows).fill(Number.NaN)
      values.set(column.values)
      return {
        ...column,
        name: `${column.name} (${name})`,
        values,
        gaps: column.gaps + rows - column.values.length,
      }
    }),
  )
  const longest = tables.reduce((most, { head }) => Math.max(most, head.length), 0)
  const head = Array.from({ length: longest }, (_, i) =>
    tables.flatMap((table) => table.head[i] ?? table.columns.map(() => '')),
  )
  const aside = tables.flatMap((table, place) =>
    table.aside.map((group) => ({
      ...group,
      key: `${place}/${group.kind}`,
      rows: group.rows.map((row) => ({ ...row, key: `${place}/${row.number}` })),
    })),
  )
  const [{ hasHeader }] = tables
  return { rows, columns, head, hasHeader, skipped: 0, separator: null, others: {}, numbers: null, aside }
}

/** The text of a file in UTF-8 or UTF-16, else in Windows-1252, which spreadsheets write. */
function textOf(bytes, starts) {
  if (starts(0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (starts(0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Reads a single row of several cells as one column. */
function asList(source) {
  const rows = []
  source.each((cells) => rows.push(cells) < 2)
  if (rows.length !== 1) return source
  const cells = rows[0].filter((cell) => cell.trim() !== '')
  return { ...source, names: null, each: (take) => cells.every((cell) => take([cell]) !== false) }
}
