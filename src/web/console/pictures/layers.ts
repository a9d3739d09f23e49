/** Layers of a chart, drawn above its lines: points, guides, bars and text, in the units of its axes. */
import type uPlot from 'uplot'
import { addDot, hatching } from './marks.ts'
import type { Ink, Palette } from './palette.ts'

/** A place in pixels of the canvas. */
type Place = [left: number, top: number]

/** A list of numbers; Float64Array has them too. */
type Numbers = ArrayLike<number>

/** Draws above the lines of a chart. */
export type Layer = (context: CanvasRenderingContext2D, plot: uPlot, colors: Palette) => void

/** An ink, or a function that gives that of each index. */
type Inks = Ink | ((i: number) => Ink)

const at = (plot: uPlot, x: number, y: number): Place => [
  plot.valToPos(x, 'x', true),
  plot.valToPos(y, 'y', true),
]
const unit = () => devicePixelRatio

interface PointStyle {
  readonly label: string
  readonly color?: Ink
  /** The pixels between the centre of the dot and the label. */
  readonly lift?: number
}

/** A dot with its label above, or below if there is no room. */
export const point =
  (x: number, y: number, { label, color = 'second', lift = 10 }: PointStyle): Layer =>
  (ctx, plot, colors) => {
    const [left, top] = at(plot, x, y)
    if (!Number.isFinite(left + top)) return
    ctx.fillStyle = colors[color]
    ctx.strokeStyle = colors.surface
    ctx.lineWidth = 2 * unit()
    ctx.beginPath()
    ctx.arc(left, top, 5 * unit(), 0, 2 * Math.PI)
    ctx.stroke()
    ctx.fill()
    const above = top - lift * unit()
    const isRoom = above >= plot.bbox.top + 12 * unit()
    write(ctx, plot, colors, label, [left, isRoom ? above : top + (lift + 11) * unit()])
  }

/** Labels of dots; one that would overlap an earlier one is left out. */
export const labelled =
  (places: readonly (readonly [x: number, y: number, label: string])[]): Layer =>
  (ctx, plot, colors) => {
    const taken: [left: number, top: number, half: number][] = []
    for (const [x, y, label] of places) {
      const [left, top] = at(plot, x, y)
      const half = ctx.measureText(label).width / 2 + 6 * unit()
      const isFree = taken.every(
        ([l, t, h]) => Math.abs(l - left) > h + half || Math.abs(t - top) > 18 * unit(),
      )
      if (!isFree) continue
      taken.push([left, top, half])
      write(ctx, plot, colors, label, [left, top - 10 * unit()])
    }
  }

interface UprightStyle {
  readonly color: Ink
  readonly width: number
  readonly label?: string
}

/** A vertical line between two values, with its label beside its middle. */
export const upright =
  (x: number, from: number, to: number, { color, width, label = '' }: UprightStyle): Layer =>
  (ctx, plot, colors) => {
    const [left, top] = at(plot, x, from)
    const bottom = plot.valToPos(to, 'y', true)
    if (!Number.isFinite(left + top + bottom)) return
    stroke(ctx, colors[color], upDown(left, top, bottom), { width })
    write(ctx, plot, colors, label, [beside(ctx, plot, label, left), (top + bottom) / 2 + 4 * unit()])
  }

/** A line through points. */
export const path =
  (
    xs: readonly number[],
    ys: readonly number[],
    { color, dash = [] }: { readonly color: Ink; readonly dash?: readonly number[] },
  ): Layer =>
  (ctx, plot, colors) => {
    const places = xs.map((x, i) => at(plot, x, ys[i]))
    stroke(ctx, colors[color], places, { dash })
  }

/** A vertical guide over the whole height, with its label at the top. */
export const vertical =
  (x: number, { label = '', color }: { readonly label?: string; readonly color: Ink }): Layer =>
  (ctx, plot, colors) => {
    const left = plot.valToPos(x, 'x', true)
    const { top, height } = plot.bbox
    stroke(ctx, colors[color], upDown(left, top, top + height), { dash: [5, 4] })
    write(ctx, plot, colors, label, [beside(ctx, plot, label, left), top + 14 * unit()])
  }

const upDown = (left: number, ...tops: readonly number[]) => tops.map((top): Place => [left, top])

interface StrokeStyle {
  readonly dash?: readonly number[]
  readonly width?: number
}

/** Draws a line through points in pixels of the canvas. */
function stroke(
  ctx: CanvasRenderingContext2D,
  color: string,
  places: readonly Place[],
  { dash = [], width = 1.5 }: StrokeStyle,
): void {
  ctx.strokeStyle = color
  ctx.lineWidth = width * unit()
  ctx.setLineDash(dash.map((length) => length * unit()))
  ctx.beginPath()
  for (const [left, top] of places) ctx.lineTo(left, top)
  ctx.stroke()
  ctx.setLineDash([])
}

/** The area between two copies of a curve, moved by [across, up] to the upper left and by as much to the lower right. */
export const band =
  (
    xs: readonly number[],
    ys: readonly number[],
    [across, up]: readonly [across: number, up: number],
  ): Layer =>
  (ctx, plot, colors) => {
    const corner = (i: number, side: number) => at(plot, xs[i] - side * across, ys[i] + side * up)
    ctx.fillStyle = colors.first
    ctx.globalAlpha = 0.15
    ctx.beginPath()
    for (let i = 0; i < xs.length; i++) ctx.lineTo(...corner(i, 1))
    for (let i = xs.length - 1; i >= 0; i--) ctx.lineTo(...corner(i, -1))
    ctx.fill()
    ctx.globalAlpha = 1
  }

interface BarStyle {
  readonly color?: Inks
  /** The pixels between bars, halved. */
  readonly gap?: number
  /** The ink whose bars are hatched. */
  readonly hatched?: Ink | null
}

/** Bars between edges, from 0 up or down. */
export const bars =
  (
    edges: Numbers,
    counts: readonly number[],
    { color = 'first', gap = 1, hatched = null }: BarStyle = {},
  ): Layer =>
  (ctx, plot, colors) => {
    const floor = plot.valToPos(0, 'y', true)
    const lines = hatched && hatching(ctx, colors[hatched], unit())
    counts.forEach((count, i) => {
      if (count === 0) return
      const [left, top] = at(plot, edges[i], count)
      const right = plot.valToPos(edges[i + 1], 'x', true)
      const ink = typeof color === 'function' ? color(i) : color
      const bar: [number, number, number, number] = [
        left + gap * unit(),
        top,
        Math.max(unit(), right - left - 2 * gap * unit()),
        floor - top,
      ]
      ctx.fillStyle = ink === hatched && lines !== null ? lines : colors[ink]
      ctx.fillRect(...bar)
      if (ink !== hatched) return
      ctx.strokeStyle = colors[ink]
      ctx.lineWidth = unit()
      ctx.strokeRect(...bar)
    })
  }

/** Two bars at each of 1, 2, 3, …, of which the second is hatched. */
export const pairedBars = (
  first: readonly number[],
  second: readonly number[],
  colors: readonly [Ink, Ink] = ['first', 'second'],
): Layer =>
  bars(
    [0.6, ...first.flatMap((_, i) => [i + 1, i + 1.4, i + 1.6])],
    first.flatMap((value, i) => [value, second[i], 0]),
    { color: (i) => colors[i % 3], hatched: colors[1] },
  )

interface DotStyle {
  readonly color?: Inks
  /** The radius in pixels. */
  readonly size: number
  readonly alpha?: number
}

/** Dots, where `ys` has numbers; each ink has a shape of its own. */
export const dots =
  (xs: Numbers, ys: ArrayLike<number | null>, { color = 'first', size, alpha = 0.7 }: DotStyle): Layer =>
  (ctx, plot, colors) => {
    ctx.globalAlpha = alpha
    for (let i = 0; i < xs.length; i++) {
      const y = ys[i]
      if (y === null) continue
      const ink = typeof color === 'function' ? color(i) : color
      ctx.fillStyle = colors[ink]
      ctx.beginPath()
      addDot(ctx, ink, at(plot, xs[i], y), size * unit())
      ctx.fill()
    }
    ctx.globalAlpha = 1
  }

/** The middle of a text to the right of a vertical line, or to its left if there is no room. */
function beside(ctx: CanvasRenderingContext2D, plot: uPlot, text: string, line: number): number {
  const half = ctx.measureText(text).width / 2 + 8 * unit()
  return line + 2 * half <= plot.bbox.left + plot.bbox.width ? line + half : line - half
}

/** Draws a text with a halo of the background, moved so that it is inside the picture. */
function write(
  ctx: CanvasRenderingContext2D,
  plot: uPlot,
  colors: Palette,
  text: string,
  [left, top]: Place,
): void {
  if (text === '') return
  const half = ctx.measureText(text).width / 2 + 4 * unit()
  const { left: start, width } = plot.bbox
  const place = Math.min(Math.max(left, start + half), start + width - half)
  ctx.textAlign = 'center'
  ctx.lineJoin = 'round'
  ctx.lineWidth = 4 * unit()
  ctx.strokeStyle = colors.surface
  ctx.strokeText(text, place, Math.max(top, plot.bbox.top + 12 * unit()))
  ctx.fillStyle = colors.ink
  ctx.fillText(text, place, Math.max(top, plot.bbox.top + 12 * unit()))
}
