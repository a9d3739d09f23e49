/** Outlier detection: each column as a strip with its fences, whose values the pointer and the arrow keys reach. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { SentMatrix, TableSpec } from '../data/shapes.ts'
import { type Strip as Drawn, models } from '../kernels/models.ts'
import type { CountedRows } from '../kernels/tables.ts'
import { clipped } from '../labels.ts'
import { plural, short, whole } from '../numbers.ts'
import type { PictureProps, Values } from '../operation.ts'
import { FlaggedNames, isTimed, OverTime } from '../pictures/over-time.tsx'
import { fontFamily, type Palette, palette, useScheme } from '../pictures/palette.ts'
import { Pointing } from '../pictures/pointing.tsx'
import type { PlacedSpot } from '../pictures/spots.ts'
import { saveSvg } from '../save.ts'

export const lead =
  'To find suspicious values before a model is fitted: the rows with a value beyond the fences of its column.'

export const table: TableSpec = { kind: 'matrix', field: 'X', byRow: true }
export const { preview, model, resultOf } = models.mlPreprocessingOutliers
export const headline = ({ flagged, rows }: CountedRows) => [
  { name: 'outlier_indices', label: `Outliers among ${plural(rows, 'row')}`, value: flagged },
]

const [ROW, LEFT, RIGHT] = [58, 110, 16]
const LONGEST_NAME = 13

/** Three invented measures of sixty loans. */
export const sample = { X: loans(), method: 'iqr', threshold: 1.5 }

function loans() {
  const lines = Array.from({ length: 60 }, (_, i) => {
    const wave = (step: number, size: number) =>
      Math.sin(i * step + step) * size + Math.sin(i * step * 2.7) * size * 0.6
    const income = i === 17 ? 212 : 52 + wave(1.7, 11)
    const debt = i === 41 ? 1.9 : 0.42 + wave(2.3, 0.11)
    const age = 41 + wave(0.9, 8)
    return [income.toFixed(1), debt.toFixed(2), age.toFixed(0)].join(', ')
  })
  return ['income, debt_ratio, age', ...lines].join('\n')
}

type Strips = ReturnType<typeof model>

export function Picture({ data, model, table }: PictureProps<Values, CountedRows, Strips, SentMatrix>) {
  const isFlagged = useMemo(() => (row: number) => data.flags[row] === 1, [data.flags])
  return (
    <div class="charts">
      <div>
        <Strips model={model} flagged={data.flagged} table={table} />
        <FlaggedNames table={table} isFlagged={isFlagged} word="Outliers" />
      </div>
      {isTimed(table) && (
        <OverTime
          table={table}
          isFlagged={isFlagged}
          word={table.columns > 1 ? 'Row with an outlier' : 'Outlier'}
        />
      )}
    </div>
  )
}

interface StripsProps {
  readonly model: Strips
  /** The number of flagged rows. */
  readonly flagged: number
  readonly table: SentMatrix
}

function Strips({ model, flagged, table }: StripsProps) {
  const svg = useRef<SVGSVGElement>(null)
  const width = useWidth(svg)
  useScheme()
  const ink = palette()
  const title = 'Values of each column, with fences'
  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span>
        <span class="tools">
          <button
            type="button"
            class="small quiet"
            aria-label="Save the strip plots as SVG"
            onClick={() => saveSvg(svg.current!, 'outliers')}
          >
            SVG
          </button>
        </span>
      </figcaption>
      <Pointing
        summary={`${plural(model.columns.length, 'column')} as strips of points; ${whole(flagged)} of ${plural(table.rows, 'row')} are outliers.`}
        spots={() => spotsOf(model, table, width)}
      >
        <svg
          ref={svg}
          class="strips"
          viewBox={`0 0 ${width} ${model.columns.length * ROW + 8}`}
          aria-hidden="true"
          font-family={fontFamily()}
          font-size={12}
        >
          {model.columns.map((column, i) => (
            <Strip width={width} column={column} name={table.names[i]} top={i * ROW + 4} ink={ink} />
          ))}
        </svg>
      </Pointing>
      <p class="hint">{flagged > 0 && '× beyond the fences'}</p>
      {table.columns > model.columns.length && (
        <p class="hint">
          The first {model.columns.length} of {whole(table.columns)} columns.
        </p>
      )}
    </figure>
  )
}

/** The width of an element in pixels, in which a picture is drawn so that its text has the size of the page's text. */
function useWidth(element: RefObject<SVGSVGElement | null>): number {
  const [width, setWidth] = useState(600)
  useLayoutEffect(() => {
    const svg = element.current!
    const observer = new ResizeObserver(() => setWidth(Math.max(280, svg.clientWidth)))
    observer.observe(svg)
    return () => observer.disconnect()
  }, [])
  return width
}

interface StripProps {
  readonly width: number
  readonly column: Drawn
  readonly name: string
  /** The y of the upper edge. */
  readonly top: number
  readonly ink: Palette
}

/** A column as dots if they are few, else as bars of its bins; values beyond the fences are crosses. */
function Strip({ width, column, name, top, ink }: StripProps) {
  const { min, max, fences, beyond, inside } = column
  const [lower, upper] = fences ?? [min, max]
  const at = scaleOf(column, width)
  const middle = middleOf(top)
  const isNarrow = at(upper) - at(lower) < 56
  return (
    <g>
      <text x={LEFT - 12} y={middle} text-anchor="end" dominant-baseline="central" fill={ink.ink}>
        {clipped(name, LONGEST_NAME)}
      </text>
      <line x1={LEFT} x2={width - RIGHT} y1={middle} y2={middle} stroke={ink.grid} />
      {fences !== null && (
        <>
          <rect
            x={at(lower)}
            width={Math.max(1, at(upper) - at(lower))}
            y={middle - 15}
            height="30"
            fill={ink.first}
            fill-opacity="0.07"
          />
          {fences.map((fence) => (
            <>
              <line
                x1={at(fence)}
                x2={at(fence)}
                y1={middle - 17}
                y2={middle + 17}
                stroke={ink.muted}
                stroke-width="1.5"
              />
              <text
                x={Math.min(Math.max(at(fence), LEFT + 20), width - RIGHT - 20)}
                y={middle + 29}
                text-anchor={isNarrow ? (fence === lower ? 'end' : 'start') : 'middle'}
                font-size={11}
                fill={ink.soft}
              >
                {short(Number(fence.toPrecision(4)))}
              </text>
            </>
          ))}
        </>
      )}
      {inside.length > 0 ? (
        <path
          d={circles(inside, at, middle)}
          stroke={ink.first}
          stroke-width="6"
          stroke-linecap="round"
          stroke-opacity="0.6"
          fill="none"
        />
      ) : (
        <path d={boxes(column, at, middle)} fill={ink.first} fill-opacity="0.55" />
      )}
      <path d={crosses(beyond, at, middle)} stroke={ink.second} stroke-width="2" fill="none" />
    </g>
  )
}

/** The x of a value. */
type Scale = (value: number) => number

function scaleOf({ min, max, fences }: Drawn, width: number): Scale {
  const [lower, upper] = fences ?? [min, max]
  const from = Math.min(min, lower)
  const to = Math.max(max, upper)
  return (value) => LEFT + ((value - from) / (to - from || 1)) * (width - LEFT - RIGHT)
}

const middleOf = (top: number) => top + ROW / 2 - 8

/** The dots and crosses of all strips. */
function spotsOf({ columns }: Strips, table: SentMatrix, width: number): PlacedSpot[] {
  return columns.flatMap((column, i) => {
    const at = scaleOf(column, width)
    const placed = (values: readonly number[], rows: readonly number[], note: readonly string[]) =>
      values.map(
        (value, place): PlacedSpot => ({
          left: at(value),
          top: middleOf(i * ROW + 4) + jitter(place),
          series: table.names[i],
          kind: 'point',
          row: table.rowOf(rows[place]),
          text: () => [table.nameOf(rows[place]), `${table.names[i]}: ${short(value)}`, ...note],
        }),
      )
    return [
      ...placed(column.beyond, column.beyondRows, ['beyond the fences']),
      ...placed(column.inside, column.insideRows, []),
    ]
  })
}

/** All dots as one path of lines of length 0 with round ends, because thousands of circles would be thousands of elements. */
const circles = (values: readonly number[], at: Scale, middle: number) =>
  values.map((value, i) => `M${fixed(at(value))} ${fixed(middle + jitter(i))}h0`).join('')

const crosses = (values: readonly number[], at: Scale, middle: number) =>
  values.map((value, i) => `M${fixed(at(value) - 3)} ${fixed(middle + jitter(i) - 3)}l6 6m-6 0l6-6`).join('')

/** A bar for each bin that is not empty; its area is in proportion to the count. */
function boxes({ counts, edges }: Drawn, at: Scale, middle: number): string {
  const most = Math.max(...counts)
  return counts
    .map((count, i) => {
      if (count === 0) return ''
      const half = 12 * Math.sqrt(count / most)
      const width = Math.max(1, at(edges[i + 1]) - at(edges[i]))
      return `M${fixed(at(edges[i]))} ${fixed(middle - half)}h${fixed(width)}v${fixed(2 * half)}h${fixed(-width)}z`
    })
    .join('')
}

const fixed = (value: number) => value.toFixed(1)

/** The vertical offset of a dot in its strip, which separates dots of equal value and is the same each time. */
const jitter = (i: number) => (((i * 0.618034) % 1) - 0.5) * 20
