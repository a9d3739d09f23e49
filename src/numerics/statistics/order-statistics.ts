/** Order statistics and quantiles by selection. */
import { sortNumbers } from './sort.ts'

/** Up to this length sorting is faster than selection. */
const SHORT = 600
const BINS = 2_048

/**
 * The numbers at the given places (ascending, from 0) of the sorted values; the argument is not changed. A histogram over
 * the range finds the bins that contain the places, and selection goes on in these bins only. A bin that still holds most
 * of the values is sorted, so that the time is linear for any distribution.
 */
export function orderStatistics(values: Float64Array, places: readonly number[]): number[] {
  const { min, max } = range(values)
  const binsPerUnit = (BINS - 1) / (max - min)
  if (values.length <= SHORT || !(binsPerUnit > 0 && Number.isFinite(binsPerUnit)))
    return bySorting(values, places)

  const counts = new Uint32Array(BINS)
  for (let i = 0; i < values.length; i++) counts[((values[i] - min) * binsPerUnit) | 0]++
  const found: number[] = []
  let bin = 0
  let before = 0
  while (found.length < places.length) {
    while (before + counts[bin] <= places[found.length]) before += counts[bin++]
    const inside = places.slice(found.length).filter((place) => place < before + counts[bin])
    const members = membersOf(bin, values, min, binsPerUnit, counts[bin])
    const select = members.length > values.length / 2 ? bySorting : orderStatistics
    found.push(
      ...select(
        members,
        inside.map((place) => place - before),
      ),
    )
  }
  return found
}

/**
 * Quantile of sorted values by linear interpolation (type 7 of Hyndman & Fan 1996): it lies `fraction` of the way from
 * the number at place `below` to the one at place `above`.
 */
export function quantilePlace(
  count: number,
  probability: number,
): { below: number; above: number; fraction: number } {
  const place = (count - 1) * probability
  const below = Math.floor(place)
  return { below, above: Math.ceil(place), fraction: place - below }
}

/** Smallest and largest of at least one number. */
export function range(values: Float64Array): { min: number; max: number } {
  let min = values[0]
  let max = values[0]
  for (let i = 1; i < values.length; i++) {
    const value = values[i]
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, max }
}

function bySorting(values: Float64Array, places: readonly number[]): number[] {
  const sorted = sortNumbers(values.map((value) => value + 0))
  return places.map((place) => sorted[place])
}

function membersOf(
  bin: number,
  values: Float64Array,
  min: number,
  binsPerUnit: number,
  count: number,
): Float64Array {
  const members = new Float64Array(count)
  let next = 0
  for (let i = 0; next < count; i++) {
    if ((((values[i] - min) * binsPerUnit) | 0) === bin) members[next++] = values[i]
  }
  return members
}
