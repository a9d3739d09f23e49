/** The place of a number in a list. */

/**
 * The greatest place whose value is not above the number, or 0.
 * @param values rising
 * @param size how many of the values count
 */
export function levelOf(number: number, values: Float64Array, size: number): number {
  let level = 0
  for (let end = size; end - level > 1; ) {
    const middle = (level + end) >> 1
    if (number < values[middle]) end = middle
    else level = middle
  }
  return level
}
