/** Layers of a chart, drawn above its lines: points, guides, bars and text, in the units of its axes. */
import { addDot, hatching } from './marks.ts'
import type { Ink, Palette } from './palette.ts'
import type { Place, Plane } from './plane.ts'

/** A list of numbers; Float64Array has them too. */
type Numbers = ArrayLike<number>

/** What layers draw on. */
export interface Scene {
  readonly ctx: CanvasRenderingContext2D
  readonly plane: Plane
  readonly colors: Palette
  /** Keeps labels from crossing a line through these places. */
  avoid(places: readonly Place[]): void
  /** Writes a label beside a place, `gap` pixels away or more, once all layers are drawn. */
  label(text: string, place: Place, gap: number): void
}

/** A number of a chart that the pointer and the keys reach. */
export interface Spot {
  readonly x: number
  readonly y: number
  /** The numbers that the arrow keys go through; those of other series are above and below. */
  readonly series: string
  /** The name of the number, such as that of its row or line; absent: that of the series. */
  readonly name?: string
  /** The text of its place on the horizontal axis; absent: x. */
  readonly across?: string
  /** The number of its row in the table of the page. */
  readonly row?: number
  /** The ends of its bar on the horizontal axis; absent: it is a point. */
  readonly bar?: readonly [from: number, to: number]
}

/** A part of a chart that is drawn above its lines. */
export interface Layer {
  draw(scene: Scene): void
  /** Absent: nothing of it is reached. */
  spots?(): Spot[]
}

/** An ink, or a function that gives that of each index. */
type Inks = Ink | ((i: number) => Ink)

const at = ({ x, y }: Plane, across: number, up: number): Place => [x(across), y(up)]

interface PointStyle {
  readonly label: string
  readonly color?: Ink
  /** The pixels between the centre of the dot and the label. */
  readonly lift?: number
}

/** A dot with its label beside it. */
export const point = (x: number, y: number, { label, color = 'second', lift = 8 }: PointStyle): Layer => ({
  draw({ ctx, plane, colors, avoid, label: write }) {
    const place = at(plane, x, y)
    if (!place.every(Number.isFinite)) return
    ctx.fillStyle = colors[color]
    ctx.strokeStyle = colors.surface
    ctx.lineWidth = 2
    ctx.beginPath()
    ctx.arc(...place, 5, 0, 2 * Math.PI)
    ctx.stroke()
    ctx.fill()
    avoid([place])
    write(label, place, lift)
  },
})

/** Labels of dots; one that would overlap another or a line is left out. */
export const labelled = (places: readonly (readonly [x: number, y: number, label: string])[]): Layer => ({
  draw({ plane, label: write }) {
    for (const [x, y, label] of places) write(label, at(plane, x, y), 6)
  },
})

interface UprightStyle {
  readonly color: Ink
  readonly width: number
  readonly label?: string
}

/** A vertical line between two values, with its label beside its middle. */
export const upright = (
  x: number,
  from: number,
  to: number,
  { color, width, label = '' }: UprightStyle,
): Layer => ({
  draw({ ctx, plane, colors, avoid, label: write }) {
    const places = [from, to].map((y) => at(plane, x, y))
    if (!places.flat().every(Number.isFinite)) return
    stroke(ctx, colors[color], places, { width })
    avoid(places)
    write(label, at(plane, x, (from + to) / 2), 6)
  },
})

/** A line through points. */
export const path = (xs: readonly number[], ys: readonly number[], color: Ink): Layer => ({
  draw({ ctx, plane, colors, avoid }) {
    const places = xs.map((x, i) => at(plane, x, ys[i]))
    stroke(ctx, colors[color], places, {})
    avoid(places)
  },
})

interface GuideStyle {
  readonly label?: string
  readonly color: Ink
}

/** A vertical guide over the whole height, with its label at the top. */
export const vertical = (x: number, { label = '', color }: GuideStyle): Layer => ({
  draw({ ctx, plane, colors, avoid, label: write }) {
    const left = plane.x(x)
    const places: Place[] = [
      [left, plane.top],
      [left, plane.top + plane.height],
    ]
    stroke(ctx, colors[color], places, { dash: [5, 4] })
    avoid(places)
    write(label, [left, plane.top + 10], 6)
  },
})

/** A horizontal guide over the whole width, with its label above its right end. */
export const horizontal = (y: number, { label = '', color }: GuideStyle): Layer => ({
  draw({ ctx, plane, colors, avoid, label: write }) {
    const top = plane.y(y)
    if (top < plane.top || top > plane.top + plane.height) return
    const places: Place[] = [
      [plane.left, top],
      [plane.left + plane.width, top],
    ]
    stroke(ctx, colors[color], places, { dash: [5, 4] })
    avoid(places)
    write(label, [plane.left + plane.width - ctx.measureText(label).width / 2 - 6, top], 3)
  },
})

interface StrokeStyle {
  readonly dash?: readonly number[]
  readonly width?: number
}

/** Draws a line through places. */
export function stroke(
  ctx: CanvasRenderingContext2D,
  color: string,
  places: readonly Place[],
  { dash = [], width = 1.5 }: StrokeStyle,
): void {
  ctx.strokeStyle = color
  ctx.lineWidth = width
  ctx.setLineDash([...dash])
  ctx.beginPath()
  for (const place of places) ctx.lineTo(...place)
  ctx.stroke()
  ctx.setLineDash([])
}

/** The area between two copies of a curve, moved by [across, up] to the upper left and by as much to the lower right. */
export const band = (
  xs: readonly number[],
  ys: readonly number[],
  [across, up]: readonly [across: number, up: number],
): Layer => ({
  draw({ ctx, plane, colors }) {
    const corner = (i: number, side: number) => at(plane, xs[i] - side * across, ys[i] + side * up)
    ctx.fillStyle = colors.first
    ctx.globalAlpha = 0.15
    ctx.beginPath()
    for (let i = 0; i < xs.length; i++) ctx.lineTo(...corner(i, 1))
    for (let i = xs.length - 1; i >= 0; i--) ctx.lineTo(...corner(i, -1))
    ctx.fill()
    ctx.globalAlpha = 1
  },
})

/** How spots are named. */
interface Named {
  readonly series?: string
  nameOf?(i: number): string
  acrossOf?(i: number): string
  rowOf?(i: number): number
}

interface BarStyle extends Named {
  readonly color?: Inks
  /** The pixels between bars, halved. */
  readonly gap?: number
  /** The ink whose bars are hatched. */
  readonly hatched?: Ink | null
}

/** Bars between edges, from 0 up or down. */
export const bars = (edges: Numbers, counts: readonly number[], style: BarStyle = {}): Layer => ({
  draw({ ctx, plane, colors, avoid }) {
    const { color = 'first', gap = 1, hatched = null } = style
    const floor = plane.y(0)
    const lines = hatched && hatching(ctx, colors[hatched])
    counts.forEach((count, i) => {
      if (count === 0) return
      const [left, top] = at(plane, edges[i], count)
      const width = Math.max(1, plane.x(edges[i + 1]) - left - 2 * gap)
      const ink = typeof color === 'function' ? color(i) : color
      const bar = [left + gap, top, width, floor - top] as const
      ctx.fillStyle = ink === hatched && lines !== null ? lines : colors[ink]
      ctx.fillRect(...bar)
      avoid([
        [left + gap, floor],
        [left + gap, top],
        [left + gap + width, top],
        [left + gap, floor],
      ])
      if (ink !== hatched) return
      ctx.strokeStyle = colors[ink]
      ctx.lineWidth = 1
      ctx.strokeRect(...bar)
    })
  },
  spots: () =>
    counts.map((y, i) => ({
      x: (edges[i] + edges[i + 1]) / 2,
      y,
      bar: [edges[i], edges[i + 1]],
      ...namesOf(style, i),
    })),
})

const namesOf = ({ series = '', nameOf, acrossOf, rowOf }: Named, i: number) => ({
  series,
  ...(nameOf && { name: nameOf(i) }),
  ...(acrossOf && { across: acrossOf(i) }),
  ...(rowOf && { row: rowOf(i) }),
})

interface PairStyle {
  /** The names of both kinds of bars. */
  readonly series: readonly string[]
  readonly colors?: readonly [Ink, Ink]
}

/** Two bars at each of 1, 2, 3, …, of which the second is hatched. */
export function pairedBars(
  first: readonly number[],
  second: readonly number[],
  { series, colors = ['first', 'second'] }: PairStyle,
): Layer {
  const { draw } = bars(
    [0.6, ...first.flatMap((_, i) => [i + 1, i + 1.4, i + 1.6])],
    first.flatMap((value, i) => [value, second[i], 0]),
    { color: (i) => colors[i % 3], hatched: colors[1] },
  )
  const spots = () =>
    [first, second].flatMap((values, side) =>
      values.map(
        (y, i): Spot => ({
          x: i + 1,
          y,
          series: series[side],
          bar: [i + 0.6 + 0.4 * side, i + 1 + 0.4 * side],
        }),
      ),
    )
  return { draw, spots }
}

interface DotStyle extends Named {
  readonly color?: Inks
  /** The radius in pixels. */
  readonly size: number
  readonly alpha?: number
}

/** Dots, where `ys` has numbers; each ink has a shape of its own. */
export const dots = (xs: Numbers, ys: ArrayLike<number | null>, style: DotStyle): Layer => ({
  draw({ ctx, plane, colors, avoid }) {
    const { color = 'first', size, alpha = 0.7 } = style
    ctx.globalAlpha = alpha
    for (let i = 0; i < xs.length; i++) {
      const y = ys[i]
      if (y === null) continue
      const ink = typeof color === 'function' ? color(i) : color
      const place = at(plane, xs[i], y)
      ctx.fillStyle = colors[ink]
      ctx.beginPath()
      addDot(ctx, ink, place, size)
      ctx.fill()
      avoid([place])
    }
    ctx.globalAlpha = 1
  },
  spots: () => Array.from(ys).flatMap((y, i) => (y === null ? [] : [{ x: xs[i], y, ...namesOf(style, i) }])),
})
