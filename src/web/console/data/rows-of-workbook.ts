/** Reads the rows of a sheet of an XLSX file. Loaded when it is first needed; bundle.ts limits the size of an unpacked part. */
import { type Cell, type CellValue, type MergeRange, readXlsx } from 'hucre/xlsx'
import { whole } from '../numbers.ts'
import { dateText } from '../times.ts'
import { isBlank, textOfNumber } from './cells.ts'
import { type RowFacts, type Source, TableError } from './table.ts'

/** The most cells of a sheet. */
const MOST_CELLS = 5e6
/** A sheet with so many numbers is taken without a look at further ones. */
const MANY_NUMBERS = 2_000

/** The rows of a workbook. */
export interface WorkbookSource {
  readonly source: Source
  /** The names of the sheets that are not hidden. */
  readonly sheets: readonly string[]
  /** The sheet that was read. */
  readonly sheet: string
}

/** A row that is not blank. */
interface SheetRow {
  readonly values: readonly CellValue[]
  readonly facts: RowFacts
}

interface SheetRead extends Content {
  readonly name: string
  readonly rows: readonly SheetRow[]
}

/**
 * The source of rows for buildTable, with the names of the sheets that are not hidden. `sheet`: one of these; null: the first
 * that has at least half as many numbers and dates in rows of several cells as the one with the most. A sheet of notes has few.
 */
export async function rowsOfWorkbook(bytes: Uint8Array, sheet: string | null): Promise<WorkbookSource> {
  try {
    const sheets: string[] = []
    await readXlsx(bytes, {
      sheets: ({ name, hidden, veryHidden }) => {
        if (!hidden && !veryHidden) sheets.push(name)
        return false
      },
    })
    const wanted = sheet === null ? sheets : [sheet]
    const read: SheetRead[] = []
    for (const name of wanted) {
      const rows = await rowsIn(bytes, name)
      const content = contentOf(rows)
      read.push({ name, rows, ...content })
      if (content.numbers >= MANY_NUMBERS) break
    }
    const chosen = firstOf(read, 'numbers') ?? firstOf(read, 'cells') ?? read.at(-1)
    if (chosen === undefined) throw new TableError('This workbook has no sheet of cells.')
    return { source: sourceOf(chosen.rows), sheets, sheet: chosen.name }
  } catch (error) {
    throw error instanceof TableError ? error : new TableError(faultOf(error as Error))
  }
}

function firstOf(read: readonly SheetRead[], key: keyof Content): SheetRead | undefined {
  const most = Math.max(...read.map((one) => one[key]))
  return most > 0 ? read.find((one) => one[key] >= most / 2) : undefined
}

/** The numbers and dates, and the cells, in rows of several cells below the first such row. */
interface Content {
  readonly numbers: number
  readonly cells: number
}

function contentOf(rows: readonly SheetRow[]): Content {
  const [, ...body] = rows
    .map(({ values }) => values.filter((cell) => !isEmpty(cell)))
    .filter((cells) => cells.length > 1)
  const cells = body.flat()
  const numbers = cells.filter((cell) => typeof cell === 'number' || cell instanceof Date)
  return { numbers: numbers.length, cells: cells.length }
}

async function rowsIn(bytes: Uint8Array, name: string): Promise<SheetRow[]> {
  const { sheets } = await readXlsx(bytes, { sheets: [name] })
  const { rows, rowDefs, cells, merges = [] } = sheets[0]
  if (rows.reduce((sum, values) => sum + values.length, 0) > MOST_CELLS)
    throw new TableError(`The sheet has more than ${whole(MOST_CELLS)} cells.`)
  const sums = rowsOfSums(cells ?? new Map())
  const merged = mergedCells(merges)
  const width = widthOf(rows)
  const shown: SheetRow[] = []
  let isAfterBlank = false
  for (const [row, values] of rows.entries()) {
    const isShown = values.some((cell) => !isEmpty(cell))
    const isHidden = rowDefs?.get(row)?.hidden === true
    if (isShown)
      shown.push({
        values: cut(values, width),
        facts: { isHidden, isSum: sums.has(row), isAfterBlank, below: merged.get(row) ?? [] },
      })
    isAfterBlank = !isShown
  }
  return shown
}

/** By row, the columns whose cells are merged with those above. */
function mergedCells(merges: readonly MergeRange[]): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const { startRow, endRow, startCol, endCol } of merges)
    if (startCol === endCol)
      for (let row = startRow + 1; row <= endRow; row++) found.set(row, [...(found.get(row) ?? []), startCol])
  return found
}

/** The columns up to the last one that has a cell in several rows: one far away is no part of the table. */
function widthOf(rows: readonly (readonly CellValue[])[]): number {
  const counts: number[] = []
  for (const values of rows)
    for (const [i, cell] of values.entries()) if (!isEmpty(cell)) counts[i] = (counts[i] ?? 0) + 1
  return counts.findLastIndex((count) => count > 1) + 1
}

/** The cells up to the width, and those beyond it that are not blank. */
function cut(values: readonly CellValue[], width: number): readonly CellValue[] {
  const last = values.findLastIndex((cell) => !isEmpty(cell)) + 1
  return values.slice(0, Math.max(width, last))
}

/** The rows in which a formula sums or averages cells of its own column in several rows above it. */
function rowsOfSums(cells: ReadonlyMap<string, Cell>): Set<number> {
  const rows = new Set<number>()
  for (const [key, { formula = '' }] of cells) {
    if (!/^=?(SUM|SUBTOTAL|AGGREGATE|AVERAGE|MEDIAN)\(/i.test(formula)) continue
    const [row, column] = key.split(',').map(Number)
    const ranges = formula.matchAll(/(?<![!A-Z\d])\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)/gi)
    const isAbove = [...ranges].some(
      ([, from, first, to, last]) =>
        columnOf(from) <= column &&
        columnOf(to) >= column &&
        Number(last) - Number(first) > 0 &&
        Number(last) <= row,
    )
    if (isAbove) rows.add(row)
  }
  return rows
}

/** The place of a column by its letters. */
const columnOf = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const isEmpty = (cell: CellValue | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && isBlank(cell))

const sourceOf = (rows: readonly SheetRow[]): Source => ({
  separator: 'XLSX',
  sign: null,
  names: null,
  each: (take) => {
    for (const { values, facts } of rows) if (take(values.map(textOf), undefined, facts) === false) return
  },
})

function textOf(cell: CellValue | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return textOfNumber(cell)
  return cell instanceof Date ? dateText(cell.getTime()) : String(cell)
}

function faultOf({ name, message }: Error): string {
  if (name === 'EncryptedFileError') return 'This workbook is protected by a password. Save it without one.'
  if (/exceeds limit/.test(message)) return 'This workbook unpacks to more than 100 MB.'
  return `This workbook cannot be read: ${message}`
}
