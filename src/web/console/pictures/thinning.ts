/** Selects the vertices of a long curve that must be drawn. */
import { extent } from './sampling.ts'

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
