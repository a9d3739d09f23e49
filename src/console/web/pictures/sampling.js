/** Places at which curves are drawn. */

/** `count` numbers from `from` to `to`, evenly spaced. */
export const evenly = (from, to, count = 121) =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1))

/** `count` numbers from `from` to `to`, evenly spaced in logarithm. */
export const logarithmically = (from, to, count = 121) =>
  evenly(Math.log(from), Math.log(to), count).map(Math.exp)

/** The value of a function at each place; null where it refuses or is not finite. */
export const curve = (places, f) =>
  places.map((place) => {
    try {
      const value = f(place)
      return Number.isFinite(value) ? value : null
    } catch {
      return null
    }
  })

/** The smallest and the largest of the values that are numbers. */
export function extent(values) {
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return [min, max]
}

/** The range of an axis: that of the values, and a share of it on both sides. */
export function around(values, share = 0.06) {
  const [min, max] = extent(values)
  const room = (max - min || Math.abs(max) || 1) * share
  return [min - room, max + room]
}

/** Counts per bin of equal width from the smallest to the largest value: `{ edges, counts }`. */
export function histogram(values, bins) {
  let [min, max] = extent(values)
  if (min === max) {
    min -= 0.5
    max += 0.5
  }
  const counts = new Array(bins).fill(0)
  for (const value of values) counts[Math.min(bins - 1, Math.floor(((value - min) / (max - min)) * bins))]++
  return { edges: evenly(min, max, bins + 1), counts }
}
