/** Prints columns of results as JSON. */
import { type Field, NO_WORD } from './table.ts'

/** A column's results, separated by commas; null in the rows that failed. */
export function printColumn({ words }: Field, values: Float64Array | Uint8Array): string {
  // JSON.stringify prints NaN as null; a result is finite.
  if (words === null) return JSON.stringify(Array.from(values)).slice(1, -1)
  const items = Array.from({ length: NO_WORD + 1 }, (_, code) => `,${JSON.stringify(words[code] ?? null)}`)
  let text = ''
  // Four times as fast as joining a list.
  for (const code of values) text += items[code]
  return text.slice(1)
}
