/**
 * Marks that remain distinguishable on paper without colours: lines have patterns, dots of each colour a shape, and bars may be
 * hatched.
 */
import type { Ink } from './palette.ts'

/** The lengths of dashes and gaps of the first, second, … line of a chart. */
const patterns: readonly (readonly number[])[] = [
  [],
  [8, 3],
  [2, 3],
  [10, 3, 2, 3],
  [5, 5],
  [14, 4],
  [2, 7],
  [10, 3, 2, 3, 2, 3],
  [4, 2],
  [18, 3, 5, 3],
  [1, 2],
]

export function dashOf(place: number): readonly number[] {
  const further = place - patterns.length
  if (further < 0) return patterns[place]
  const points = Array.from({ length: 1 + (further % 4) }, () => [2, 3])
  return [20 + 6 * Math.floor(further / 4), 3, ...points.flat()]
}

/** The signs that stand for the dots of each colour in the text of a legend. */
export const signs: Readonly<Partial<Record<Ink, string>>> = {
  first: '●',
  second: '▲',
  third: '■',
  fourth: '◆',
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

/** A pattern of oblique lines; `unit`: the pixels of the canvas in a pixel of the page. */
export function hatching(ctx: CanvasRenderingContext2D, color: string, unit: number): CanvasPattern | null {
  const side = Math.round(6 * unit)
  const tile = document.createElement('canvas')
  tile.width = side
  tile.height = side
  const line = tile.getContext('2d')!
  line.strokeStyle = color
  line.lineWidth = 2.2 * unit
  // The line through the middle, and the parts of its neighbours in the corners.
  for (const shift of [-side, 0, side]) {
    line.moveTo(shift - 1, side + 1)
    line.lineTo(shift + side + 1, -1)
  }
  line.stroke()
  return ctx.createPattern(tile, 'repeat')
}

/** A piece of a line, as the CSS background of its mark in the legend. */
export function lineSample(color: string, dash: readonly number[]): string {
  let at = 0
  const stops = (dash.length === 0 ? [1, 0] : dash).map((length, i) => {
    const from = at
    at += length
    return `${i % 2 === 0 ? color : 'transparent'} ${from}px ${at}px`
  })
  return `repeating-linear-gradient(90deg, ${stops.join(', ')})`
}

export const barSample = (color: string, isHatched: boolean): string =>
  isHatched ? `repeating-linear-gradient(-45deg, ${color} 0 2px, transparent 2px 4.5px)` : color
