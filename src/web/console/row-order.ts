/** Orders of the rows of a table, as typed arrays of their numbers. */
import { isNumber } from './numbers.ts'

/** The value of a row, by which rows are sorted; '' is none. */
export type SortKey = string | number | boolean | null | undefined

/** The flagged rows first, the highest scores first if they have scores; the others follow in their own order. */
export function flaggedFirst(
  count: number,
  isFlagged: (row: number) => boolean,
  scoreOf?: (row: number) => number,
): Uint32Array {
  const order = new Uint32Array(count)
  let at = 0
  for (let row = 0; row < count; row++) if (isFlagged(row)) order[at++] = row
  if (scoreOf !== undefined) order.set(sortedBy(order.subarray(0, at), scoreOf, true))
  for (let row = 0; row < count; row++) if (!isFlagged(row)) order[at++] = row
  return order
}

/**
 * The rows of `order`, sorted by `keyOf(row)`, a number, boolean or text. Equal rows keep their order, and rows without a value are
 * last. Texts are sorted as numbers if all of them are numbers.
 */
export function sortedBy(
  order: Uint32Array,
  keyOf: (row: number) => SortKey,
  isDescending: boolean,
): Uint32Array {
  const values = Array.from(order, (row) => keyOf(row))
  const isText = values.some((value) => typeof value === 'string' && value !== '' && !isNumber(value))
  const keys = values.map((value) => {
    const isMissing = value === '' || value === null || value === undefined
    const key = isText ? String(value) : Number(value)
    return isMissing || Number.isNaN(key) ? null : key
  })
  const sign = isDescending ? -1 : 1
  const compare = (a: number, b: number) => {
    const [first, second] = [keys[a], keys[b]]
    if (first === second) return 0
    if (first === null || second === null) return first === null ? 1 : -1
    return first < second ? -sign : sign
  }
  return Uint32Array.from(order.keys())
    .sort(compare)
    .map((place) => order[place])
}
