/** A chart of lines and layers over one axis, drawn by uPlot. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { csv } from '../csv.ts'
import { brief } from '../numbers.ts'
import { saveCanvas, saveText } from '../save.ts'
import { dateText } from '../times.ts'
import { Handle, type HandlePoint, putHandle } from './handle.tsx'
import type { Layer } from './layers.ts'
import { barSample, dashOf, lineSample, type Mark, signs } from './marks.ts'
import { font, type Ink, palette, useScheme } from './palette.ts'
import { DATE_PX, NAMED_PX, numbersPx, powersOfTen, tickText, WHOLE } from './ticks.ts'

/** A chart is near if it is in the window or within the distance that a person may scroll in a frame. */
const NEAR = { rootMargin: '100px' }
const STILL_MS = 100

/** A line of a chart. */
export interface Line {
  readonly label: string
  /** As many numbers (or null) as x has. */
  readonly y: ArrayLike<number | null>
  readonly color?: Ink
  readonly fill?: boolean
  readonly width?: number
  /** Whether the numbers are marked by points. */
  readonly points?: boolean
  /** Whether the line keeps its value until the next x. */
  readonly steps?: boolean
}

/** The rows of a CSV file, of which the first has the headings. */
export type NumberRows = readonly (readonly unknown[])[]

type Range = readonly [from: number, to: number]

/** A chart of lines, of layers, or of both. Each line has another pattern. */
export interface ChartProps {
  readonly title: string
  /** The sentence that a screen reader reads in place of the picture. */
  readonly summary: string
  readonly xLabel: string
  readonly yLabel: string
  /** Ascending numbers. */
  readonly x?: readonly number[]
  /** Whether x are seconds since 1970 and the axis has dates. */
  readonly isTime?: boolean
  readonly lines?: readonly Line[]
  /** Drawn above the lines. */
  readonly layers?: readonly Layer[]
  /** The legend of the layers, below the chart. */
  readonly marks?: readonly Mark[]
  /** Absent: that of the lines. */
  readonly range?: { readonly x?: Range | undefined; readonly y?: Range | undefined } | undefined
  /** The axes that are logarithmic, and those that have only whole numbers: 'x', 'y' or 'xy'. */
  readonly log?: string
  readonly counts?: string
  /** In pixels. */
  readonly height?: number | undefined
  /** The text of a number on the x axis, which has `xLines` lines. */
  readonly xText?: ((value: number) => string) | undefined
  readonly xLines?: number
  readonly handle?: HandlePoint | null
  /** The rows of the CSV file; absent: the lines. */
  readonly numbers?: (() => NumberRows) | undefined
}

type Latest = RefObject<ChartProps>

export function Chart(props: ChartProps) {
  const { title, summary, x = [], marks = [], handle = null, height = 250 } = props
  const { place, grip, plot, scheme } = usePlot(props)
  const savePng = () => plot.current && saveCanvas(plot.current.ctx.canvas, fileName(title))
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
      <div class="drawing">
        <div
          class="plot"
          ref={place}
          role="img"
          aria-label={summary}
          style={{ minHeight: scheme === 'paper' ? undefined : `${height}px` }}
        />
        {handle !== null && <Handle handle={handle} element={grip} plot={plot} />}
      </div>
      {marks.length > 0 && <Marks marks={marks} />}
    </figure>
  )
}

const rowsOf = ({ x = [], lines = [], xLabel }: ChartProps): NumberRows => [
  [xLabel, ...lines.map(({ label }) => label)],
  ...x.map((at, i) => [at, ...lines.map(({ y }) => y[i])]),
]

/** Makes the plot in the element `place`, and draws it when its data change. */
function usePlot(props: ChartProps) {
  const { lines = [], xLabel, yLabel, log = '', height = 250 } = props
  const place = useRef<HTMLDivElement>(null)
  const grip = useRef<HTMLSpanElement>(null)
  const plot = useRef<uPlot>(null)
  const latest = useRef(props)
  latest.current = props
  const scheme = useScheme()
  const frame = useRef(0)
  const isDrawn = useRef(true)
  const isSeen = useRef(true)
  /** Draws the latest data. A chart that is not near waits until it is, or until the input has not changed for a while. */
  const draw = () => {
    if (isDrawn.current) return
    isDrawn.current = true
    plot.current?.setData(dataOf(latest.current))
  }
  const shape = JSON.stringify([lines.map(({ label, color }) => [label, color]), xLabel, yLabel, log])

  useLayoutEffect(() => {
    const isPaper = scheme === 'paper'
    const element = place.current!
    const size = isPaper ? paperSize(element) : { width: element.clientWidth, height }
    const made = new uPlot({ ...size, ...optionsOf(latest, grip) }, dataOf(props), element)
    plot.current = made
    if (isPaper) return () => made.destroy()
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    const sight = new IntersectionObserver(([{ isIntersecting }]) => {
      isSeen.current = isIntersecting
      if (isIntersecting) draw()
    }, NEAR)
    sight.observe(element)
    return () => {
      observer.disconnect()
      sight.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [shape, scheme])

  useLayoutEffect(() => {
    isDrawn.current = false
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      if (isSeen.current) draw()
    })
    const timer = setTimeout(draw, STILL_MS)
    return () => clearTimeout(timer)
  }, [props.x, props.lines, props.layers])

  return { place, grip, plot, scheme }
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

const dataOf = ({ x = [], lines = [] }: ChartProps) =>
  [x, ...lines.map(({ y }) => y)] as unknown as uPlot.AlignedData

function optionsOf(
  latest: Latest,
  grip: RefObject<HTMLSpanElement | null>,
): Omit<uPlot.Options, 'width' | 'height'> {
  const { lines = [], xLabel, yLabel, log = '', counts = '', isTime = false, xLines = 1 } = latest.current
  const colors = palette()
  let lastTick: Tick | null = null
  const axis = (name: 'x' | 'y', label: string, extra: uPlot.Axis): uPlot.Axis => ({
    stroke: colors.soft,
    font: font(12),
    labelFont: font(12),
    labelSize: 20,
    label,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { stroke: colors.grid, width: 1, size: 4 },
    values: (_plot, ticks, _axis, _space, step) => {
      const texts = ticks.map(tickText(name, latest.current, step))
      if (name === 'x') lastTick = { at: ticks.at(-1)!, text: texts.at(-1) }
      return texts
    },
    ...(name === 'x' && { space: latest.current.xText ? NAMED_PX : isTime ? DATE_PX : numbersPx }),
    ...(counts.includes(name) && { incrs: WHOLE }),
    ...(log.includes(name) && {
      splits: (plot, _axis, from, to) => powersOfTen(from, to, name === 'x' ? plot.width / 72 : 8),
      filter: (_, splits) => splits,
    }),
    ...extra,
  })
  const scale = (name: 'x' | 'y'): uPlot.Scale => ({
    time: name === 'x' && isTime,
    distr: log.includes(name) ? 3 : 1,
    range: (_, from, to) => [...(latest.current.range?.[name] ?? padded(from, to, log.includes(name), name))],
  })
  return {
    padding: [10, (plot: uPlot) => roomRight(plot, lastTick), 0, 0],
    ...(isTime && { tzDate: (seconds) => uPlot.tzDate(new Date(1000 * seconds), 'UTC') }),
    // Allows fractions of pixels; with whole pixels, flat curves show steps.
    pxAlign: 0,
    scales: { x: scale('x'), y: scale('y') },
    axes: [axis('x', xLabel, { size: 18 + 14 * xLines }), axis('y', yLabel, { size: roomLeft })],
    legend: {
      show: lines.length > 1,
      live: true,
      markers: {
        width: 0,
        fill: (_, i) => lineSample(colors[lines[i - 1].color ?? 'first'], dashOf(i - 1)),
      },
    },
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    series: [
      { label: xLabel, value: (_, value) => (isTime && value ? dateText(1000 * value) : legend(value)) },
      ...lines.map(
        ({ label, color = 'first', fill, width: lineWidth = 2, points = false, steps = false }, place) => ({
          label,
          stroke: colors[color],
          width: lineWidth,
          dash: [...dashOf(place)],
          ...(fill && { fill: colors[`${color}Soft` as Ink] }),
          points: { show: points, size: 6 },
          ...(steps && { paths: uPlot.paths.stepped!({ align: 1 }) }),
          value: (_: uPlot, value: number | null) => legend(value),
        }),
      ),
    ],
    hooks: {
      draw: [
        (plot) => {
          const { ctx } = plot
          ctx.save()
          ctx.beginPath()
          ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height)
          ctx.clip()
          ctx.font = font(12 * devicePixelRatio)
          for (const layer of latest.current.layers ?? []) layer(ctx, plot, colors)
          ctx.restore()
          const { handle } = latest.current
          if (grip.current !== null && handle) putHandle(grip.current, plot, handle)
        },
      ],
    },
  }
}

/** The last tick of the x axis. */
interface Tick {
  readonly at: number
  readonly text: string | undefined
}

/** The width of the longest line of a text in pixels of the page. */
function widthOf(plot: uPlot, text: string): number {
  plot.ctx.font = font(12 * devicePixelRatio)
  return Math.max(...text.split('\n').map((line) => plot.ctx.measureText(line).width)) / devicePixelRatio
}

/** The width of the texts of the y axis; usual numbers have the same, so that charts below each other align. */
const roomLeft = (plot: uPlot, texts: readonly string[] | null) =>
  Math.max(58, 14 + Math.max(0, ...(texts ?? []).map((text) => widthOf(plot, text))))

/** The padding on the right, which contains the text of the last tick as far as it exceeds the axis. */
function roomRight(plot: uPlot, lastTick: Tick | null): number {
  if (!lastTick?.text) return 14
  const left = plot.valToPos(plot.scales.x.max!, 'x') - plot.valToPos(lastTick.at, 'x')
  return Math.max(14, Math.ceil(widthOf(plot, lastTick.text) / 2 - left))
}

/** The text of a value in the legend, empty until the pointer is over the chart. */
const legend = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : brief(value)

/** The range of an axis: that of the lines, with a margin above and below, and none at the sides. */
function padded(from: number | null, to: number | null, isLog: boolean, name: 'x' | 'y'): Range {
  if (from === null || to === null) return isLog ? [1e-3, 1] : [0, 1]
  if (isLog) return name === 'x' ? [from, to] : [from / 2, to * 2]
  if (name === 'x') return from === to ? [from - 1, to + 1] : [from, to]
  const room = (to - from || Math.abs(to) || 1) * 0.06
  return [from === 0 ? 0 : from - room, to + room]
}
