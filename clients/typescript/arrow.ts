/** Columns as Arrow streams: numbers as float64, strings as dictionaries. */

import { joined, type WrittenColumn, writeStream } from '../../src/wire/arrow/write-stream.ts'
import type { NumberArray } from './numbers.ts'

/**
 * The bytes of a stream; null: a list does not hold only numbers, or only strings.
 * @param lists all of the same length
 * @param scalars the values of the other fields
 */
export function encoded(
  lists: readonly (readonly [string, readonly unknown[] | NumberArray])[],
  scalars: object,
): Uint8Array | null {
  const columns = lists.map(([name, list]) => columnOf(name, list))
  if (!columns.every((column) => column !== null)) return null
  return joined(writeStream(columns, lists[0]?.[1].length ?? 0, [], scalars))
}

/** null: the list is sent as JSON, so that the service says what is wrong with it. */
function columnOf(name: string, list: readonly unknown[] | NumberArray): WrittenColumn | null {
  if (ArrayBuffer.isView(list)) return { name, type: 'float64', values: list }
  if (list.every((value) => typeof value === 'number')) return { name, type: 'float64', values: list }
  if (!list.every((value) => typeof value === 'string')) return null
  const places = new Map([...new Set(list)].map((word, place) => [word, place]))
  return { name, type: { words: [...places.keys()] }, values: list.map((word) => places.get(word) ?? 0) }
}
