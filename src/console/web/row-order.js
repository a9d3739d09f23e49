/** Orders of the rows of a table, as typed lists of their numbers. */
import { isNumber } from './numbers.js'

/** The flagged rows first, by their score from high to low where they have one; the others in their order. */
export function flaggedFirst(count, isFlagged, scoreOf) {
  const order = new Uint32Array(count)
  let at = 0
  for (let row = 0; row < count; row++) if (isFlagged(row)) order[at++] = row
  if (scoreOf !== undefined) order.set(sortedBy(order.subarray(0, at), scoreOf, true))
  for (let row = 0; row < count; row++) if (!isFlagged(row)) order[at++] = row
  return order
}

/**
 * The rows of `order` by `keyOf(row)`, a number, boolean or text; equal ones stay in their order, and those without a value are
 * last. A column of which every text is a number is sorted by number.
 */
export function sortedBy(order, keyOf, isDescending) {
  const values = Array.from(order, (row) => keyOf(row))
  const isText = values.some((value) => typeof value === 'string' && value !== '' && !isNumber(value))
  const keys = values.map((value) => {
    const isMissing = value === '' || value === null || value === undefined
    const key = isText ? String(value) : Number(value)
    return isMissing || Number.isNaN(key) ? null : key
  })
  const sign = isDescending ? -1 : 1
  const compare = (a, b) => {
    if (keys[a] === keys[b]) return 0
    if (keys[a] === null || keys[b] === null) return keys[a] === null ? 1 : -1
    return keys[a] < keys[b] ? -sign : sign
  }
  return Uint32Array.from(order.keys())
    .sort(compare)
    .map((place) => order[place])
}
