/** Orders of the rows of a table, as typed lists of their numbers: a hundred thousand numbers are sorted within a frame. */
import { sortNumbers } from '../../numerics/statistics/sort.ts'
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
 * The rows of `order` by `keyOf(row)`, a number, boolean or text; equal ones stay in their order, and those without a value are last. A column
 * of which every text is a number is sorted by number.
 */
export function sortedBy(order, keyOf, isDescending) {
  const { keys, present } = keysOf(order, keyOf)
  const sorted = sortNumbers(present)
  const taken = new Uint32Array(sorted.length + 1)
  const made = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    const rank = rankIn(sorted, keys[i], isDescending)
    made[rank + taken[rank]++] = order[i]
  }
  return made
}

/** The place at which the numbers equal to a key begin; after all of them for NaN. */
function rankIn(sorted, key, isDescending) {
  if (Number.isNaN(key)) return sorted.length
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isDescending ? sorted[middle] <= key : sorted[middle] < key) from = middle + 1
    else to = middle
  }
  return isDescending ? sorted.length - from : from
}

/** `keys`: finite numbers, for texts the places of their alphabet, and NaN where there is no value; `present`: those that are numbers. */
function keysOf(order, keyOf) {
  const values = new Array(order.length)
  let isText = false
  for (let i = 0; i < order.length; i++) {
    const value = keyOf(order[i])
    values[i] = value
    isText ||= typeof value === 'string' && value !== '' && !isNumber(value)
  }
  const places = isText ? placesOf(values.map(String)) : null
  const keys = new Float64Array(order.length)
  const present = new Float64Array(order.length)
  let count = 0
  for (let i = 0; i < keys.length; i++) {
    const value = values[i]
    const isMissing = value === '' || value === null || value === undefined
    const key = isMissing ? Number.NaN : places === null ? finite(Number(value)) : places.get(String(value))
    keys[i] = key
    if (!Number.isNaN(key)) present[count++] = key
  }
  return { keys, present: present.slice(0, count) }
}

const placesOf = (texts) => new Map([...new Set(texts)].sort().map((text, place) => [text, place]))

/** Without −0, which the sort would take for a negative number. */
const finite = (value) => Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) + 0
