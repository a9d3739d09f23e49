/** Reads the columns of Parquet and Arrow files as rows. Loaded when such a file is first read. */
import { parquetMetadata, parquetRead } from 'hyparquet'
import { DAY_MS } from '../../../base/time.ts'
import { daysOf, eachMissing, eachString, labelsOf, numbersOf } from '../../../wire/arrow/column-values.ts'
import { textOf } from '../../../wire/arrow/flatbuffer.ts'
import { ArrowFault } from '../../../wire/arrow/format.ts'
import { readArrowFile, readStream, type Stream } from '../../../wire/arrow/read-stream.ts'
import { whole } from '../numbers.ts'
import { dateText } from '../times.ts'
import { textOfNumber } from './cells.ts'
import { type Source, TableError } from './table.ts'

/** The most cells of a file. */
const MOST_CELLS = 20e6

/** The readers by format. Each returns the source of rows for buildTable, and throws TableError. */
export const readers = {
  parquet: rowsOfParquet,
  arrowFile: (bytes: Uint8Array) => rowsOfArrow(bytes, readArrowFile),
  arrowStream: (bytes: Uint8Array) => rowsOfArrow(bytes, readStream),
}

async function rowsOfParquet(bytes: Uint8Array<ArrayBuffer>): Promise<Source> {
  try {
    const metadata = parquetMetadata(bytes.buffer)
    const [root, ...elements] = metadata.schema
    if (root.num_children !== elements.length || elements.some(({ num_children = 0 }) => num_children > 0))
      throw new TableError('This Parquet file has nested columns; only plain ones are read.')
    const names = elements.map(({ name }) => name)
    checkSize(Number(metadata.num_rows), names.length)
    let rows: readonly (readonly unknown[])[] = []
    await parquetRead({
      file: bytes.buffer,
      metadata,
      onComplete: (read) => {
        rows = read
      },
    })
    return sourceOf('PARQUET', names, rows.length, (row, column) => textOfValue(rows[row][column]))
  } catch (error) {
    throw error instanceof TableError ? error : new TableError(parquetFault(error as Error))
  }
}

/** The source of rows for buildTable. @param read readStream or readArrowFile. Throws TableError. */
function rowsOfArrow(bytes: Uint8Array, read: (bytes: Uint8Array) => Stream): Source {
  try {
    const stream = read(bytes)
    checkSize(stream.rows, stream.fields.length)
    const columns = stream.fields.map((_, index) => textsOf(stream, index))
    const names = stream.fields.map(({ name }) => name)
    return sourceOf('ARROW', names, stream.rows, (row, column) => columns[column][row])
  } catch (error) {
    if (!(error instanceof ArrowFault)) throw error
    if (/compressed/.test(error.message))
      throw new TableError('This Arrow file is compressed; save it without compression, or as Parquet.')
    const place = error.path.replace('/columns/', 'Column ')
    throw new TableError(`This Arrow file cannot be read: ${place || 'it'} ${error.message}.`)
  }
}

const sourceOf = (
  separator: string,
  names: readonly string[],
  rows: number,
  textAt: (row: number, column: number) => string,
): Source => ({
  separator,
  sign: null,
  names,
  each: (take) => {
    for (let row = 0; row < rows; row++)
      if (take(names.map((_, column) => textAt(row, column))) === false) return
  },
})

function checkSize(rows: number, columns: number): void {
  if (rows * columns > MOST_CELLS) throw new TableError(`The file has more than ${whole(MOST_CELLS)} cells.`)
}

function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isNaN(value) ? '' : textOfNumber(value)
  return value instanceof Date ? dateText(value.getTime()) : String(value)
}

const parquetFault = ({ message }: Error): string =>
  /compression codec/.test(message)
    ? `This Parquet file is compressed by ${/[A-Z][A-Z\d_]+/.exec(message)?.[0] ?? 'an unknown method'}; save it with Snappy or without compression.`
    : `This Parquet file cannot be read: ${message}`

/** The texts of a column; a missing value is empty. */
function textsOf(stream: Stream, index: number): string[] {
  const { kind } = stream.fields[index]
  const texts = new Array<string>(stream.rows).fill('')
  if (kind.is === 'utf8') {
    eachString(
      stream,
      index,
      (utf8, start, end) => textOf(utf8.subarray(start, end)),
      (text, row) => {
        texts[row] = text
      },
    )
    return texts
  }
  if (kind.is === 'bool')
    for (const [row, label] of labelsOf(stream, index).entries()) texts[row] = String(label === 1)
  else {
    const values = new Float64Array(stream.rows)
    if (kind.is === 'date')
      for (const [row, day] of daysOf(stream, index, values).entries())
        texts[row] = dateText(Math.round(day * DAY_MS))
    else
      for (const [row, value] of numbersOf(stream, index, values).entries()) texts[row] = textOfValue(value)
  }
  eachMissing(stream, index, (row) => {
    texts[row] = ''
  })
  return texts
}
