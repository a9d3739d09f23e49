/** Reads the rows of a sheet of an XLSX file. Loaded when it is first needed; bundle.ts limits the size of an unpacked part. */
// @ts-nocheck: to be converted
import { readXlsx, streamXlsxRows } from 'hucre/xlsx'
import { whole } from '../numbers.ts'
import { dateText } from '../times.ts'
import { textOfNumber } from './cells.ts'
import { TableError } from './table.ts'

/** The most cells of a sheet. */
const MOST_CELLS = 5e6

/**
 * The source of rows for buildTable, with the names of the sheets that are not hidden. `sheet`: one of these; null: the first
 * that has several rows and columns.
 */
export async function rowsOfWorkbook(bytes, sheet) {
  try {
    const sheets = []
    const note = ({ name, hidden, veryHidden }) => {
      if (!hidden && !veryHidden) sheets.push(name)
      return false
    }
    await readXlsx(bytes, { sheets: note })
    const wanted = sheet === null ? sheets : [sheet]
    for (const name of wanted) {
      const rows = await rowsIn(streamXlsxRows(bytes, { sheet: name }))
      const isTable = rows.length > 1 && rows.some((row) => row.length > 1)
      if (isTable || name === wanted.at(-1)) return { ...sourceOf(rows), sheets, sheet: name }
    }
    throw new TableError('This workbook has no sheet of cells.')
  } catch (error) {
    throw error instanceof TableError ? error : new TableError(faultOf(error))
  }
}

async function rowsIn(stream) {
  const rows = []
  let cells = 0
  for await (const { values } of stream) {
    cells += values.length
    if (cells > MOST_CELLS) throw new TableError(`The sheet has more than ${whole(MOST_CELLS)} cells.`)
    if (values.some((cell) => cell !== null && cell !== '')) rows.push(values)
  }
  return rows
}

const sourceOf = (rows) => ({
  separator: 'XLSX',
  sign: null,
  names: null,
  each: (take) => {
    for (const row of rows) if (take(row.map(textOf)) === false) return
  },
})

function textOf(cell) {
  if (cell === null) return ''
  if (typeof cell === 'number') return textOfNumber(cell)
  return cell instanceof Date ? dateText(cell.getTime()) : String(cell)
}

function faultOf({ name, message }) {
  if (name === 'EncryptedFileError') return 'This workbook is protected by a password. Save it without one.'
  if (/exceeds limit/.test(message)) return 'This workbook unpacks to more than 100 MB.'
  return `This workbook cannot be read: ${message}`
}
