/** Reads tables from typed text and from files. */
import { buildTable, type Chosen } from './build-table.ts'
import { rowsOfCsv } from './rows-of-csv.ts'
import { type JsonOptions, rowsOfJson } from './rows-of-json.ts'
import { type AsideKey, type Source, type Table, TableError } from './table.ts'

/** How an operation has its tables read. */
export interface OptionsOfOperation extends JsonOptions {
  /** Whether one line of several cells is a column. */
  readonly isList?: boolean
}

/** How a text is read. */
export interface TextOptions extends Chosen, OptionsOfOperation {}

/** How a file is read. */
export interface FileOptions extends TextOptions {
  /** The sheet of a workbook; null: the one that has a table. */
  readonly sheet?: string | null
}

/** The beginning of JSON. A heading of CSV may be in square brackets too: `[Strike],[Spot]`. */
const JSON_START = /^\s*(\{|\[\s*([[{"\]\d-]|true|false|null|$))/

/** The beginning of HTML, which reports also write into files named XLS, and of XML. */
const MARKUP = /^\s*<(!doctype|html|head|body|table|\?xml)\b/i

/** The table of CSV, TSV or JSON. */
export function readTable(text: string, options: TextOptions = {}): Table {
  const source = JSON_START.test(text) ? rowsOfJson(text, options) : rowsOfCsv(text)
  return { ...buildTable(options.isList ? asList(source) : source, options), others: source.others ?? {} }
}

/** The first bytes of files of columns: PAR1, ARROW1, and the beginning of a message. */
const columnFormats = [
  [[0x50, 0x41, 0x52, 0x31], 'parquet'],
  [[0x41, 0x52, 0x52, 0x4f, 0x57, 0x31], 'arrowFile'],
  [[0xff, 0xff, 0xff, 0xff], 'arrowStream'],
] as const

/** The table of a file; that of a workbook has also its `sheets`, and the `sheet` that was read. */
export async function readFile(file: Blob, { sheet = null, ...options }: FileOptions): Promise<Table> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const starts = (...signature: number[]) => signature.every((byte, i) => bytes[i] === byte)
  if (starts(0x50, 0x4b, 0x03, 0x04)) {
    const { rowsOfWorkbook } = await import('./rows-of-workbook.ts')
    const { source, ...sheets } = await rowsOfWorkbook(bytes, sheet)
    return { ...buildTable(source, options), ...sheets }
  }
  const format = columnFormats.find(([signature]) => starts(...signature))?.[1]
  if (format !== undefined) {
    const { readers } = await import('./rows-of-columns.ts')
    return buildTable(await readers[format](bytes), options)
  }
  if (starts(0xd0, 0xcf, 0x11, 0xe0))
    throw new TableError(
      'This is a workbook of an old version, or one with a password. Save it as XLSX or CSV.',
    )
  if (starts(0x1f, 0x8b)) throw new TableError('This file is compressed by gzip. Unpack it first.')
  const text = textOf(bytes, starts)
  if (MARKUP.test(text))
    throw new TableError(
      'This is a page of HTML or XML. Open it in a spreadsheet and save it as XLSX or CSV.',
    )
  if (text.slice(0, 10_000).includes('\0'))
    throw new TableError('This is not a table: CSV, TSV, JSON, XLSX, Parquet and Arrow are read.')
  return readTable(text, options)
}

/** One table of several files, side by side; the cells below the shorter ones are empty. */
export async function readFiles(files: readonly File[], options: FileOptions): Promise<Table> {
  if (files.length === 1) return readFile(files[0], options)
  const { types = {}, taken = [] } = options
  const tables: NamedTable[] = []
  let first = 0
  for (const [place, file] of files.entries()) {
    const own = Object.entries(types).filter(([column]) => Number(column) >= first)
    const chosen = Object.fromEntries(own.map(([column, type]) => [Number(column) - first, type]))
    const rows = taken.flatMap((key) => (ofFile(key) === place ? [keyIn(key)] : []))
    const table = await readFile(file, { ...options, types: chosen, taken: rows })
    first += table.columns.length
    tables.push({ ...table, name: file.name })
  }
  return beside(tables)
}

/** The place of the file in a key of a row or kind of several files, such as `0/7`, and the key in that file. */
const ofFile = (key: AsideKey): number => Number(String(key).split('/')[0])
function keyIn(key: AsideKey): AsideKey {
  const [, own] = String(key).split('/')
  return /^\d+$/.test(own) ? Number(own) : own
}

/** The table of a file, by whose name its columns are told from those of others. */
interface NamedTable extends Table {
  readonly name: string
}

function beside(tables: readonly NamedTable[]): Table {
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
  let first = 0
  const aside = tables.flatMap((table, place) => {
    const before = Array.from({ length: first }, () => '')
    first += table.columns.length
    return table.aside.map((group) => ({
      ...group,
      key: `${place}/${group.key}`,
      rows: group.rows.map(({ cells, number }) => ({
        number,
        key: `${place}/${number}`,
        cells: [...before, ...cells],
      })),
    }))
  })
  const groups = tables.flatMap((table, place) =>
    table.groups.map((one) => ({ ...one, key: `${place}/${one.key}`, name: `${one.name} (${table.name})` })),
  )
  const [{ hasHeader }] = tables
  return {
    rows,
    made: '',
    columns,
    head,
    hasHeader,
    above: [],
    separator: null,
    others: {},
    numbers: null,
    aside,
    groups,
  }
}

/** The text of a file in UTF-8 or UTF-16, else in Windows-1252, which spreadsheets write. */
function textOf(bytes: Uint8Array, starts: (...signature: number[]) => boolean): string {
  if (starts(0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (starts(0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Reads a single row of several cells as one column. */
function asList(source: Source): Source {
  const rows: string[][] = []
  source.each((cells) => rows.push(cells) < 2)
  if (rows.length !== 1) return source
  const cells = rows[0].filter((cell) => cell.trim() !== '')
  return { ...source, names: null, each: (take) => void cells.every((cell) => take([cell]) !== false) }
}
