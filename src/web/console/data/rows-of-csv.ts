/** Reads rows of text with separators: CSV, TSV, and columns that are aligned by spaces. */
import Papa, { type Parser, type Step } from 'papaparse'
import { whole } from '../numbers.ts'
import { isBlank, isGap, numberIn } from './cells.ts'
import { type Source, TableError } from './table.ts'

interface Separator {
  readonly sign: string
  readonly name: string
}

const COMMA: Separator = { sign: ',', name: 'comma' }
const SEPARATORS: readonly Separator[] = [
  { sign: '\t', name: 'tab' },
  { sign: ';', name: 'semicolon' },
  { sign: '|', name: 'vertical bar' },
  COMMA,
]
const SPACE: Separator = { sign: ' ', name: 'space' }

/** The first characters, from which the separator is guessed. */
const FIRST = 64_000

/** The line `sep=;` with which files for Excel may begin. */
const NAMED = /^\ufeff?"?sep=(.)"?(?=\n)/i

/** The source of rows for buildTable. */
export function rowsOfCsv(given: string): Source {
  const lines = given.includes('\r') ? given.replace(/\r\n?/g, '\n') : given
  const named = NAMED.exec(lines)?.[1]
  const text = named === undefined ? lines : lines.replace(NAMED, '')
  const { sign, name } = SEPARATORS.find((one) => one.sign === named) ?? separatorOf(text)
  return {
    separator: name,
    sign,
    names: null,
    each: (take) => eachRow(text, sign, take),
    lineAt: (end) => text.slice(0, end - 1).split('\n').length,
  }
}

/** A cell in quotes, at the beginning of a line or after a separator; a line may end in it. */
const QUOTED = /(?<=^|[\t;|,] *)"(?:[^"]|"")*"/gm

/** The separator that occurs in the most lines outside quotes; of several, the first in the list. */
function separatorOf(text: string): Separator {
  const all = text.slice(0, FIRST).replace(QUOTED, '""').split('\n')
  const lines = (text.length > FIRST && all.length > 1 ? all.slice(0, -1) : all)
    .filter((line) => line.trim() !== '')
    .slice(0, 50)
  const counted = SEPARATORS.map((one) => ({
    one,
    count: lines.filter((line) => line.includes(one.sign)).length,
  }))
  const most = counted.reduce((best, next) => (next.count > best.count ? next : best))
  if (most.count > 0) return most.one
  return areSpaced(lines) ? SPACE : COMMA
}

/** Whether spaces separate cells: no words follow each other, or below such a line are as many numbers in each line. */
function areSpaced(lines: readonly string[]): boolean {
  if (!lines.some((line) => /\S\s+\S/.test(line))) return false
  if (lines.every((line) => !/[a-z] [a-z]/i.test(line))) return true
  const [head, ...rows] = lines.map((line) => line.trim().split(/\s+/))
  const isOfNumbers = (cells: readonly string[]) =>
    cells.length === head.length && cells.every((cell) => Number.isFinite(numberIn(cell)) || isGap(cell))
  return rows.length > 1 && rows.every(isOfNumbers)
}

/**
 * Calls `take(cells, end, facts)` with each row that is not blank, the position of its end and whether a blank line is above it,
 * until it returns false. A parser of our own for numbers was not worth it: for 100,000 × 10 numbers it took 0.3 of the time if they had 4 decimals (0.2 s less), but
 * 0.8 if half of them had 17 digits, and 1.5 if all had.
 */
function eachRow(text: string, separator: string, take: Parameters<Source['each']>[0]): void {
  let isAfterBlank = false
  const step = ({ data, errors, meta }: Step, parser: Parser) => {
    const fault = errors.find(({ type }) => type === 'Quotes')
    // Without the closing quotation mark, all further rows would be the text of this cell.
    if (fault !== undefined)
      throw new TableError(
        `In line ${whole(text.slice(0, fault.index + 1).split('\n').length)}, a cell begins with a quotation mark and does not end with one.`,
      )
    const cells = separator === ' ' ? data.filter((cell) => cell !== '') : data
    const isShown = !cells.every(isBlank)
    if (isShown && take(cells, meta.cursor, { isAfterBlank }) === false) parser.abort()
    isAfterBlank = !isShown
  }
  Papa.parse(text, { delimiter: separator, newline: '\n', step })
}
