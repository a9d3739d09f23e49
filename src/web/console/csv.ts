/** Rows as CSV (RFC 4180), in which no cell is a formula. */
import { csvField } from '../../base/csv.ts'

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvField).join(',')}\n`

export const csv = (rows: readonly (readonly unknown[])[]): string => rows.map(csvLine).join('')

/** The rows whose lines are made before the page does other work. */
const ROWS_AT_ONCE = 2_000

/** Resolves with a Blob. `lineOf(row)`: the line of the row with this number. */
export async function longCsv(
  head: readonly unknown[],
  rows: number,
  lineOf: (row: number) => string,
): Promise<Blob> {
  const pieces = [csvLine(head)]
  for (let start = 0; start < rows; start += ROWS_AT_ONCE) {
    const lines: string[] = []
    for (let row = start; row < Math.min(rows, start + ROWS_AT_ONCE); row++) lines.push(lineOf(row))
    pieces.push(lines.join(''))
    await new Promise((resolve) => setTimeout(resolve))
  }
  return new Blob(pieces, { type: 'text/csv' })
}
