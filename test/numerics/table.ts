/** Tables of inputs and exact values: CSV files in tables/, whose first line names the fields. */
import { readFileSync } from 'node:fs'

/** The rows of a table; a cell that is no number is a word. */
export function table<Row>(name: string): Row[] {
  const text = readFileSync(new URL(`./tables/${name}.csv`, import.meta.url), 'utf8')
  const [names = [], ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','))
  const value = (cell: string) => (Number.isNaN(Number(cell)) ? cell : Number(cell))
  return rows.map((cells) => Object.fromEntries(names.map((key, at) => [key, value(cells[at])])) as Row)
}
