/** Draws a chart on a canvas: its axes, its lines with their names at the ends, its layers and their labels. */
import { freePlace, type Segment, stacked } from './label-places.ts'
import { type Layer, type Scene, stroke } from './layers.ts'
import { font, type Ink, type Palette } from './palette.ts'
import { type Box, type Place, type Plane, planeOf, type Range } from './plane.ts'
import { type AxisStyle, type Tick, ticksOf } from './ticks.ts'

/** A line of a chart. */
export interface Line {
  readonly label: string
  /** As many numbers (or null) as x has. */
  readonly y: ArrayLike<number | null>
  readonly color?: Ink
  /** Whether the area between the line and 0 is tinted. */
  readonly fill?: boolean
  readonly width?: number
  /** Whether the numbers are marked by points. */
  readonly points?: boolean
  /** Whether the line keeps its value until the next x. */
  readonly steps?: boolean
  /** Whether the line is only compared with: it is dashed and grey, and no pointer reaches it. */
  readonly isGuide?: boolean
}

/** A chart of lines, of layers, or of both. */
export interface Drawn {
  readonly xLabel: string
  readonly yLabel: string
  /** Ascending numbers. */
  readonly x?: readonly number[]
  /** Whether x are seconds since 1970 and the axis has dates. */
  readonly isTime?: boolean
  readonly lines?: readonly Line[]
  /** Drawn above the lines. */
  readonly layers?: readonly Layer[]
  /** Absent: that of the lines. */
  readonly range?: { readonly x?: Range | undefined; readonly y?: Range | undefined } | undefined
  /** The axes that are logarithmic, and those that have only whole numbers: 'x', 'y' or 'xy'. */
  readonly log?: string
  readonly counts?: string
  /** The text of a number on the x axis, which has `xLines` lines. */
  readonly xText?: ((value: number) => string) | undefined
  readonly xLines?: number
}

interface Size {
  readonly width: number
  readonly height: number
}

const FONT_PX = 12
const LINE_PX = 14
/** The room above the area, which has the name of the vertical axis. */
const TOP = 26
const [LEAST_LEFT, LEAST_RIGHT] = [46, 14]
/** More names at the ends of lines than these would be too small to read. */
const MOST_NAMES = 30
/** The pieces of lines of one colour are dashed differently. */
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3]]

/** Draws the chart and returns its plane. The canvas has `size` in pixels of the page. */
export function drawChart(
  ctx: CanvasRenderingContext2D,
  { width, height }: Size,
  chart: Drawn,
  colors: Palette,
): Plane {
  ctx.clearRect(0, 0, width, height)
  ctx.font = font(FONT_PX)
  ctx.textBaseline = 'middle'
  const range = { x: rangeOf('x', chart), y: rangeOf('y', chart) }
  const bottom = 22 + LINE_PX * (chart.xLines ?? 1)
  const upright = height - TOP - bottom
  const yTicks = ticksOf(styleOf('y', chart), range.y, { px: upright, isUpright: true })
  const left = Math.max(LEAST_LEFT, 10 + Math.max(0, ...yTicks.map(({ text }) => widthOf(ctx, text))))
  const names = namesOf(ctx, chart, Math.min(120, 0.28 * width))
  const right = Math.max(LEAST_RIGHT, ...names.map(({ width }) => width + 22))
  const textPx = textsPx(ctx, chart, range.x)
  const xTicks = ticksOf({ ...styleOf('x', chart), textPx }, range.x, {
    px: width - left - right,
    isUpright: false,
  })
  const plane = planeOf(
    { left, top: TOP, width: Math.max(1, width - left - rightOf(ctx, xTicks, right)), height: upright },
    range,
    chart.log ?? '',
  )
  drawAxes(ctx, plane, { chart, colors, xTicks, yTicks })
  const labels = labelsOf(ctx, plane, colors)
  const scene = { ctx, plane, colors, avoid: labels.avoid, label: labels.add }
  ctx.save()
  ctx.beginPath()
  ctx.rect(plane.left, plane.top - 1, plane.width + 1, plane.height + 2)
  ctx.clip()
  for (const [i, line] of (chart.lines ?? []).entries()) drawLine(scene, chart, line, dashOf(chart, i))
  for (const layer of chart.layers ?? []) layer.draw(scene)
  ctx.restore()
  drawNames(scene, chart, names)
  labels.write()
  return plane
}

const styleOf = (name: 'x' | 'y', { log = '', counts = '', isTime = false, xText }: Drawn): AxisStyle => ({
  isLog: log.includes(name),
  isWhole: counts.includes(name),
  isTime: name === 'x' && isTime,
  text: name === 'x' ? xText : undefined,
  textPx: 0,
})

/** The range of an axis: as given, or that of the lines, with a margin above and below, and none at the sides. */
function rangeOf(name: 'x' | 'y', { x = [], lines = [], range, log = '' }: Drawn): Range {
  const given = range?.[name]
  if (given !== undefined) return given
  const isLog = log.includes(name)
  let [from, to] = [Infinity, -Infinity]
  for (const values of name === 'x' ? [x] : lines.map(({ y }) => y))
    for (const value of Array.from(values)) {
      if (value === null || (isLog && value <= 0)) continue
      from = Math.min(from, value)
      to = Math.max(to, value)
    }
  if (from > to) return isLog ? [1e-3, 1] : [0, 1]
  if (isLog) return name === 'x' ? [from, to] : [from / 2, to * 2]
  if (name === 'x') return from === to ? [from - 1, to + 1] : [from, to]
  const room = (to - from || Math.abs(to) || 1) * 0.06
  return [from === 0 ? 0 : from - room, to + room]
}

const widthOf = (ctx: CanvasRenderingContext2D, text: string): number =>
  Math.max(...text.split('\n').map((line) => ctx.measureText(line).width))

/** The most names of an axis that are measured. */
const MEASURED = 60

/** The width of the widest name on the horizontal axis. */
function textsPx(ctx: CanvasRenderingContext2D, { xText }: Drawn, [from, to]: Range): number {
  const first = Math.ceil(from)
  const count = xText === undefined ? 0 : Math.min(MEASURED, Math.floor(to) - first + 1)
  return Math.max(0, ...Array.from({ length: Math.max(0, count) }, (_, i) => widthOf(ctx, xText!(first + i))))
}

/** The room on the right, which contains half of the text of the last tick. */
function rightOf(ctx: CanvasRenderingContext2D, ticks: readonly Tick[], least: number): number {
  const last = ticks.at(-1)
  return last === undefined ? least : Math.max(least, Math.ceil(widthOf(ctx, last.text) / 2))
}

interface Axes {
  readonly chart: Drawn
  readonly colors: Palette
  readonly xTicks: readonly Tick[]
  readonly yTicks: readonly Tick[]
}

function drawAxes(ctx: CanvasRenderingContext2D, plane: Plane, { chart, colors, xTicks, yTicks }: Axes) {
  const { left, top, width, height } = plane
  ctx.fillStyle = colors.soft
  ctx.textAlign = 'right'
  for (const { value, text } of yTicks) {
    const at = plane.y(value)
    stroke(
      ctx,
      colors.grid,
      [
        [left - 4, at],
        [left + width, at],
      ],
      { width: 1 },
    )
    ctx.fillText(text, left - 7, at)
  }
  ctx.textAlign = 'center'
  for (const { value, text } of xTicks) {
    const at = plane.x(value)
    stroke(
      ctx,
      colors.grid,
      [
        [at, top],
        [at, top + height + 4],
      ],
      { width: 1 },
    )
    const lines = text.split('\n')
    for (const [i, line] of lines.entries()) ctx.fillText(line, at, top + height + 12 + LINE_PX * i)
  }
  ctx.fillText(chart.xLabel, left + width / 2, top + height + 14 + LINE_PX * (chart.xLines ?? 1))
  ctx.textAlign = 'left'
  ctx.fillText(chart.yLabel, 2, 8)
}

/** Lines of one ink have other dashes; guides have one of their own. */
function dashOf({ lines = [] }: Drawn, place: number): readonly number[] {
  if (lines[place].isGuide) return [4, 4]
  const ink = (line: Line) => line.color ?? 'first'
  const before = lines.slice(0, place).filter((line) => !line.isGuide && ink(line) === ink(lines[place]))
  return DASHES[before.length % DASHES.length]
}

function drawLine(scene: Scene, { x = [] }: Drawn, line: Line, dash: readonly number[]): void {
  const { ctx, plane, colors, avoid } = scene
  const color = colors[inkOf(line)]
  for (const places of piecesOf(plane, x, line)) {
    if (line.fill) {
      const floor = Math.min(Math.max(plane.y(0), plane.top), plane.top + plane.height)
      ctx.globalAlpha = 0.1
      ctx.fillStyle = color
      ctx.beginPath()
      for (const place of places) ctx.lineTo(...place)
      ctx.lineTo(places[places.length - 1][0], floor)
      ctx.lineTo(places[0][0], floor)
      ctx.fill()
      ctx.globalAlpha = 1
    }
    stroke(ctx, color, places, { dash, width: line.width ?? (line.isGuide ? 1.5 : 2) })
    avoid(places)
    if (!line.points) continue
    ctx.fillStyle = color
    for (const [left, top] of places) {
      ctx.beginPath()
      ctx.arc(left, top, 3, 0, 2 * Math.PI)
      ctx.fill()
    }
  }
}

const inkOf = ({ color, isGuide = false }: Line): Ink => color ?? (isGuide ? 'muted' : 'first')

/** The pieces of a line between its gaps. */
function piecesOf(plane: Plane, x: readonly number[], { y, steps }: Line): Place[][] {
  const pieces: Place[][] = [[]]
  for (const [i, across] of x.entries()) {
    const up = y[i]
    if (up === null || up === undefined || !Number.isFinite(plane.y(up))) {
      pieces.push([])
      continue
    }
    const piece = pieces[pieces.length - 1]
    const before = piece.at(-1)
    const place: Place = [plane.x(across), plane.y(up)]
    if (steps && before !== undefined) piece.push([place[0], before[1]])
    piece.push(place)
  }
  return pieces.filter((piece) => piece.length > 0)
}

/** The name at the end of a line, in lines of text. */
interface Name {
  readonly line: Line
  readonly texts: readonly string[]
  readonly width: number
}

/** A single line needs no name, because that of the axis says it. */
function namesOf(ctx: CanvasRenderingContext2D, { lines = [] }: Drawn, most: number): Name[] {
  if (lines.length < 2 || lines.length > MOST_NAMES) return []
  return lines.map((line) => {
    const texts = wrapped(ctx, line.label, most)
    return { line, texts, width: Math.max(...texts.map((text) => ctx.measureText(text).width)) }
  })
}

/** A text in lines of at most so many pixels; a longer word is cut. */
function wrapped(ctx: CanvasRenderingContext2D, text: string, most: number): string[] {
  const isLong = (line: string) => ctx.measureText(line).width > most
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`
    if (lines.length > 0 && !isLong(longer)) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => {
    let cut = line
    while (isLong(cut) && cut.length > 2) cut = `${cut.slice(0, -2)}…`
    return cut
  })
}

function drawNames({ ctx, plane, colors }: Scene, { x = [] }: Drawn, names: readonly Name[]): void {
  const right = plane.left + plane.width
  const ends = names.map(({ line }) => endOf(plane, x, line))
  const shown = names.flatMap((name, i) => (ends[i] === null ? [] : [{ ...name, end: ends[i] }]))
  const tops = stacked(
    shown.map(({ end, texts }) => ({ top: end[1], height: LINE_PX * texts.length + 1 })),
    plane.top - 6,
    plane.top + plane.height + 8,
  )
  ctx.textAlign = 'left'
  for (const [i, { end, line, texts }] of shown.entries()) {
    const middle = tops[i]
    if (middle === null) continue
    const start: Place = [Math.min(end[0] + 2, right), end[1]]
    // A line that ends earlier is not drawn on: dots lead from its end to the edge.
    stroke(ctx, colors.muted, [start, [right, end[1]]], { dash: [1, 4], width: 1 })
    stroke(
      ctx,
      colors[inkOf(line)],
      [
        [right, end[1]],
        [right + 6, middle],
        [right + 13, middle],
      ],
      { width: 1.5 },
    )
    ctx.fillStyle = line.isGuide ? colors.soft : colors.ink
    for (const [row, text] of texts.entries())
      ctx.fillText(text, right + 17, middle + LINE_PX * (row - (texts.length - 1) / 2))
  }
}

/** The last place of a line within the area. */
function endOf(plane: Plane, x: readonly number[], { y }: Line): Place | null {
  for (let i = x.length - 1; i >= 0; i--) {
    const up = y[i]
    const place: Place | null = up === null || up === undefined ? null : [plane.x(x[i]), plane.y(up)]
    if (place !== null && isInside(plane, place)) return place
  }
  return null
}

const isInside = ({ left, top, width, height }: Box, [across, up]: Place): boolean =>
  across >= left - 1 && across <= left + width + 1 && up >= top - 1 && up <= top + height + 1

/** Collects labels and what they must not cross, and writes them; one for which there is no room is left out. */
function labelsOf(ctx: CanvasRenderingContext2D, plane: Plane, colors: Palette) {
  const segments: Segment[] = []
  const wanted: { text: string; place: Place; gap: number }[] = []
  return {
    avoid: (places: readonly Place[]) => {
      for (const [i, place] of places.entries()) segments.push([places[Math.max(0, i - 1)], place])
    },
    add: (text: string, place: Place, gap: number) => {
      if (text !== '' && isInside(plane, place)) wanted.push({ text, place, gap })
    },
    write: () => {
      const boxes: Box[] = []
      const area = { ...plane, top: plane.top - 8, height: plane.height + 8 }
      ctx.textAlign = 'center'
      ctx.fillStyle = colors.ink
      for (const { text, place, gap } of wanted) {
        const size = { width: ctx.measureText(text).width + 8, height: LINE_PX + 2, gap }
        const middle = freePlace(place, size, { area, segments, boxes })
        if (middle === null) continue
        boxes.push({ ...size, left: middle[0] - size.width / 2, top: middle[1] - size.height / 2 })
        ctx.fillText(text, ...middle)
      }
    },
  }
}
