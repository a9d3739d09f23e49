/** Prints columns of results as JSON. */
import type { Field } from './table.ts'

/** A column's results, separated by commas; null in the rows that failed. */
export function printColumn({ words }: Field, values: Float64Array | Uint8Array): string {
  // JSON.stringify prints NaN as null; a result is finite.
  if (words === null) return JSON.stringify(Array.from(values)).slice(1, -1)
  const names = words.map((word) => JSON.stringify(word))
  return Array.from(values, (code) => names[code] ?? 'null').join(',')
}
