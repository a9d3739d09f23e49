/** A chart of lines and layers over one axis, whose numbers the pointer and the arrow keys reach. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { short } from '../numbers.ts'
import { csv, saveCanvas, saveText } from '../save.ts'
import { dateText } from '../times.ts'
import { type Drawn, drawChart } from './draw-chart.ts'
import { Handle, type HandlePoint, putHandle } from './handle.tsx'
import type { Spot } from './layers.ts'
import { barSample, type Mark, signs } from './marks.ts'
import { palette, useScheme } from './palette.ts'
import type { Plane } from './plane.ts'
import { Pointing } from './pointing.tsx'
import type { PlacedSpot } from './spots.ts'

export type { Line } from './draw-chart.ts'

/** A chart is near if it is in the window or within the distance that a person may scroll in a frame. */
const NEAR = { rootMargin: '100px' }
const STILL_MS = 100

/** The rows of a CSV file, of which the first has the headings. */
export type NumberRows = readonly (readonly unknown[])[]

export interface ChartProps extends Drawn {
  readonly title: string
  /** The sentence that a screen reader reads in place of the picture. */
  readonly summary: string
  /** The legend of the layers, below the chart. */
  readonly marks?: readonly Mark[]
  /** In pixels. */
  readonly height?: number | undefined
  readonly handle?: HandlePoint | null
  /** The rows of the CSV file; absent: the lines. */
  readonly numbers?: (() => NumberRows) | undefined
}

export function Chart(props: ChartProps) {
  const { title, summary, x = [], marks = [], handle = null, height = 250 } = props
  const { canvas, grip, plane, scheme, spots } = useDrawing(props)
  const savePng = () => canvas.current && saveCanvas(canvas.current, fileName(title))
  const saveCsv = () =>
    saveText(csv(props.numbers?.() ?? rowsOf(props)), `${fileName(title)}.csv`, 'text/csv')
  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span>
        <span class="tools">
          <button type="button" class="small quiet" onClick={savePng} aria-label={`Save “${title}” as PNG`}>
            PNG
          </button>
          {(x.length > 0 || props.numbers) && (
            <button
              type="button"
              class="small quiet"
              onClick={saveCsv}
              aria-label={`Save the numbers of “${title}” as CSV`}
            >
              CSV
            </button>
          )}
        </span>
      </figcaption>
      <Pointing summary={summary} spots={spots}>
        <div class="plot" style={{ minHeight: scheme === 'paper' ? undefined : `${height}px` }}>
          <canvas ref={canvas} aria-hidden="true" />
        </div>
        {handle !== null && <Handle handle={handle} element={grip} plane={plane} />}
      </Pointing>
      {marks.length > 0 && <Marks marks={marks} />}
    </figure>
  )
}

const rowsOf = ({ x = [], lines = [], xLabel }: ChartProps): NumberRows => [
  [xLabel, ...lines.map(({ label }) => label)],
  ...x.map((at, i) => [at, ...lines.map(({ y }) => y[i])]),
]

/** Draws the chart on its canvas, and again when its data, its width or the colours change. */
function useDrawing(props: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const grip = useRef<HTMLSpanElement>(null)
  const plane = useRef<Plane>(null)
  const placed = useRef<readonly PlacedSpot[] | null>(null)
  const latest = useRef(props)
  latest.current = props
  const scheme = useScheme()
  const frame = useRef(0)
  const isDrawn = useRef(true)
  const isSeen = useRef(true)
  const paint = () => {
    if (canvas.current === null) return
    isDrawn.current = true
    placed.current = null
    plane.current = paintOn(canvas.current, latest.current, scheme === 'paper')
    const { handle } = latest.current
    if (grip.current !== null && handle) putHandle(grip.current, plane.current, handle)
  }
  /** Draws the latest data. A chart that is not near waits until it is, or until the input has not changed for a while. */
  const draw = () => {
    if (!isDrawn.current) paint()
  }
  useLayoutEffect(() => {
    paint()
    if (scheme === 'paper') return
    const place = canvas.current!.parentElement!
    const observer = new ResizeObserver(paint)
    observer.observe(place)
    const sight = new IntersectionObserver(([{ isIntersecting }]) => {
      isSeen.current = isIntersecting
      if (isIntersecting) draw()
    }, NEAR)
    sight.observe(place)
    return () => {
      observer.disconnect()
      sight.disconnect()
    }
  }, [scheme])

  useLayoutEffect(() => {
    isDrawn.current = false
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      if (isSeen.current) draw()
    })
    const timer = setTimeout(draw, STILL_MS)
    return () => clearTimeout(timer)
  }, [props.x, props.lines, props.layers])

  const spots = () => {
    placed.current ??= plane.current === null ? [] : spotsOf(latest.current, plane.current)
    return placed.current
  }
  return { canvas, grip, plane, scheme, spots }
}

function paintOn(canvas: HTMLCanvasElement, props: ChartProps, isPaper: boolean): Plane {
  const place = canvas.parentElement!
  const size = isPaper ? paperSize(place) : { width: place.clientWidth, height: props.height ?? 250 }
  const unit = devicePixelRatio
  canvas.width = Math.round(size.width * unit)
  canvas.height = Math.round(size.height * unit)
  canvas.style.width = `${size.width}px`
  canvas.style.height = `${size.height}px`
  const ctx = canvas.getContext('2d')!
  ctx.scale(unit, unit)
  return drawChart(ctx, size, props, palette())
}

/** The numbers of the lines and layers that lie in the area. */
function spotsOf(props: ChartProps, plane: Plane): PlacedSpot[] {
  const { layers = [], lines = [], x = [] } = props
  const isIn = (value: number, [from, to]: readonly [number, number]) => value >= from && value <= to
  const ofLines = lines
    .filter(({ isGuide }) => !isGuide)
    .flatMap(({ label, y }) =>
      x.flatMap((at, i): Spot[] => {
        const up = y[i]
        return up === null || up === undefined ? [] : [{ x: at, y: up, series: label }]
      }),
    )
  const placedAs = (kind: 'point' | 'line') => (spot: Spot) => ({
    left: plane.x(spot.x),
    top: plane.y(spot.y),
    series: spot.series,
    row: spot.row,
    text: () => textOf(props, spot),
    ...(spot.bar === undefined
      ? { kind }
      : { kind: 'bar' as const, half: Math.abs(plane.x(spot.bar[1]) - plane.x(spot.bar[0])) / 2 }),
  })
  const inArea = (spots: readonly Spot[]) =>
    spots.filter(({ x, y }) => isIn(x, plane.range.x) && isIn(y, plane.range.y))
  return [
    ...inArea(layers.flatMap(({ spots }) => spots?.() ?? [])).map(placedAs('point')),
    ...inArea(ofLines).map(placedAs('line')),
  ]
}

/** The name of a number, its place on the horizontal axis, and itself. */
function textOf({ xLabel, yLabel, xText, isTime, lines = [] }: ChartProps, spot: Spot): string[] {
  const named = spot.across ?? xText?.(spot.x).replaceAll('\n', ' ') ?? ''
  const across = named !== '' ? named : isTime ? dateText(1_000 * spot.x) : short(spot.x)
  const name = spot.name ?? (lines.length > 1 || spot.bar ? spot.series : '')
  const rest = [`${xLabel}: ${across}`, `${yLabel}: ${short(spot.y)}`]
  return name === '' ? rest : [name, ...rest]
}

/** The legend of the layers. */
const Marks = ({ marks }: { readonly marks: readonly Mark[] }) => (
  <ul class="marks">
    {marks.map(({ label, color, isBar = false, isHatched = false }) => {
      const ink = palette()[color]
      return (
        <li>
          {isBar ? (
            <span class="bar-sample" style={{ background: barSample(ink, isHatched), borderColor: ink }} />
          ) : (
            <span class="sign" style={{ color: ink }}>
              {signs[color]}
            </span>
          )}{' '}
          {label}
        </li>
      )
    })}
  </ul>
)

/** The width and height of a chart on paper; report.css has the width. */
function paperSize(place: HTMLElement) {
  const width = Number(getComputedStyle(place).getPropertyValue('--paper-width'))
  return { width, height: Math.min(0.55 * width, 160) }
}

export const fileName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
