/** Marks that remain distinguishable on paper without colours: dots of each colour have a shape, and bars may be hatched. */
import type { Ink } from './palette.ts'

/** The signs that stand for the dots of each colour in the text of a legend. */
export const signs: Readonly<Partial<Record<Ink, string>>> = {
  first: '●',
  second: '▲',
  third: '■',
  fourth: '◆',
  fifth: '✚',
}

/** An entry of the legend of the layers of a chart. */
export interface Mark {
  readonly label: string
  readonly color: Ink
  readonly isBar?: boolean
  readonly isHatched?: boolean
}

/** The legend of two kinds of bars, of which the second is hatched. */
export const pairMarks = (labels: readonly string[], colors: readonly Ink[] = ['first', 'second']): Mark[] =>
  labels.map((label, i) => ({ label, color: colors[i], isBar: true, isHatched: i === 1 }))

/** The corners of the dots of a colour, in radii; those of other colours are round. */
const corners: Readonly<Partial<Record<Ink, readonly (readonly [x: number, y: number])[]>>> = {
  second: [
    [0, -1.35],
    [1.2, 0.85],
    [-1.2, 0.85],
  ],
  third: [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  fourth: [
    [0, -1.4],
    [1.2, 0],
    [0, 1.4],
    [-1.2, 0],
  ],
  fifth: [
    [-0.4, -1.2],
    [0.4, -1.2],
    [0.4, -0.4],
    [1.2, -0.4],
    [1.2, 0.4],
    [0.4, 0.4],
    [0.4, 1.2],
    [-0.4, 1.2],
    [-0.4, 0.4],
    [-1.2, 0.4],
    [-1.2, -0.4],
    [-0.4, -0.4],
  ],
}

/** Adds a dot to the path of a canvas. */
export function addDot(
  ctx: CanvasRenderingContext2D,
  color: Ink,
  [left, top]: readonly [left: number, top: number],
  radius: number,
): void {
  const own = corners[color]
  if (own === undefined) {
    ctx.arc(left, top, radius, 0, 2 * Math.PI)
    return
  }
  for (const [x, y] of own) ctx.lineTo(left + x * radius, top + y * radius)
  ctx.closePath()
}

/** A pattern of oblique lines. */
export function hatching(ctx: CanvasRenderingContext2D, color: string): CanvasPattern | null {
  const side = Math.round(6 * devicePixelRatio)
  const tile = document.createElement('canvas')
  tile.width = side
  tile.height = side
  const line = tile.getContext('2d')!
  line.strokeStyle = color
  line.lineWidth = 2.2 * devicePixelRatio
  // The line through the middle, and the parts of its neighbours in the corners.
  for (const shift of [-side, 0, side]) {
    line.moveTo(shift - 1, side + 1)
    line.lineTo(shift + side + 1, -1)
  }
  line.stroke()
  const pattern = ctx.createPattern(tile, 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(1 / devicePixelRatio))
  return pattern
}

export const barSample = (color: string, isHatched: boolean): string =>
  isHatched ? `repeating-linear-gradient(-45deg, ${color} 0 2px, transparent 2px 4.5px)` : color
