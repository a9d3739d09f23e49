/** The places at which curves are drawn, ranges of axes, histograms and samples, and the vertices of a long curve that must be drawn. */

/** `count` numbers from `from` to `to`, evenly spaced; the last is exactly `to`, beyond which a model may refuse. */
export const evenly = (from: number, to: number, count = 121): number[] =>
  Array.from({ length: count }, (_, i) => (i === count - 1 ? to : from + ((to - from) * i) / (count - 1)))

/** `count` numbers from `from` to `to`, evenly spaced in logarithm. */
export const logarithmically = (from: number, to: number, count: number): number[] =>
  evenly(Math.log(from), Math.log(to), count).map(Math.exp)

/** The value of a function at each place; null where it refuses or is not finite. */
export const curve = <Place>(
  places: readonly Place[],
  f: (place: Place) => number | null,
): (number | null)[] =>
  places.map((place) => {
    try {
      const value = f(place)
      return value !== null && Number.isFinite(value) ? value : null
    } catch {
      return null
    }
  })

/** The smallest and the largest of the values that are numbers. */
export function extent(values: Iterable<number | null>): [min: number, max: number] {
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    if (value === null) continue
    if (value < min) min = value
    if (value > max) max = value
  }
  return [min, max]
}

/** The least margin, which is needed for numbers near the smallest double. */
const LEAST_ROOM = 1e-300

/** The range of an axis: that of the values, with a share of it as a margin on both sides. */
export function around(values: Iterable<number | null>, share = 0.06): [number, number] {
  const [min, max] = extent(values)
  const room = Math.max((max - min || Math.abs(max) || 1) * share, LEAST_ROOM)
  return [min - room, max + room]
}

/** The range of an axis of bars, which begin at 0. */
export function from0(values: Iterable<number | null>, room = 1.1): [number, number] {
  const [min, max] = extent(values)
  return [Math.min(0, min * room), Math.max(1e-9, max * room)]
}

export interface Histogram {
  readonly edges: number[]
  readonly counts: number[]
  binOf(value: number): number
}

/**
 * Counts in bins of equal width from the smallest to the largest value. If all values are equal, they are in the middle of the
 * range. Halves are subtracted, because the range itself may exceed the largest double.
 */
export function histogram(values: Iterable<number>, bins: number): Histogram {
  let [min, max] = extent(values)
  if (min === max) {
    const room = Math.max(0.5, Math.abs(min) * 1e-9)
    min -= room
    max += room
  }
  const half = max / 2 - min / 2
  const binOf = (value: number) => Math.min(bins - 1, Math.floor(((value / 2 - min / 2) / half) * bins))
  const counts = new Array<number>(bins).fill(0)
  for (const value of values) counts[binOf(value)]++
  const edges = Array.from({ length: bins + 1 }, (_, i) => min * (1 - i / bins) + max * (i / bins))
  return { edges, counts, binOf }
}

/**
 * At most `most` of the places 0 … count − 1: of each run of consecutive places of equal length a pseudo-random one, the same
 * each time.
 */
export function evenSample(count: number, most: number): Uint32Array {
  const step = Math.max(1, Math.ceil(count / most))
  const places: number[] = []
  let state = 1
  for (let start = 0; start < count; start += step) {
    // Park & Miller 1988: the minimal standard generator.
    state = (state * 48_271) % 2_147_483_647
    const place = start + (state % step)
    if (place < count) places.push(place)
  }
  return Uint32Array.from(places)
}

/** Cells along each axis of a picture; charts are at most half as many pixels wide and high. */
const CELLS = 2_048

/** A list or typed array. */
type Axis = ArrayLike<number | null> & Iterable<number | null>

/**
 * The places of the vertices to draw of one or several monotone curves over the same x: of the neighbouring vertices that lie
 * in the same cell of the picture, the first and the last. Those between them lie in that cell too, so that no point moves by
 * more than half a pixel.
 * @param axes x and the curves, as lists of the same length; a curve may be constant, or have null
 */
export function visible(axes: readonly Axis[]): number[] {
  const length = axes[0].length
  if (length <= CELLS) return Array.from({ length }, (_, i) => i)
  const scales = axes.map((axis) => {
    const [min, max] = extent(axis)
    return { axis, min, unit: max > min ? CELLS / (max - min) : 0 }
  })
  const isTogether = (a: number, b: number) =>
    scales.every(({ axis, min, unit }) => {
      const [first, second] = [Number(axis[a]), Number(axis[b])]
      return Math.floor((first - min) * unit) === Math.floor((second - min) * unit)
    })
  const places = [0]
  for (let i = 1; i < length - 1; i++) if (!isTogether(i, i - 1) || !isTogether(i, i + 1)) places.push(i)
  places.push(length - 1)
  return places
}
