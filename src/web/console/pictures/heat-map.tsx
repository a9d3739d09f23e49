/** A matrix of ratings as a heat map. The cell under the pointer, or chosen by keys, is written as a sentence. */
import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { clipped } from '../labels.ts'
import { short, whole } from '../numbers.ts'
import { saveSvg } from '../save.ts'
import { fileName } from './chart.tsx'
import { fontFamily, type Palette, palette, useScheme } from './palette.ts'

const MOST_CELLS = 26
const [LEFT, TOP] = [64, 50]
const LONGEST_NAME = 7

const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

interface HeatMapProps {
  readonly title: string
  /** The time of the probabilities, in words. */
  readonly span: string
  /** Probabilities. */
  readonly matrix: readonly (readonly number[])[]
  /** Those of the ratings. */
  readonly names: readonly string[]
}

/** The first sentence is about the move from the last but one rating to the last. */
export function HeatMap({ title, span, matrix, names }: HeatMapProps) {
  const svg = useRef<SVGSVGElement>(null)
  const size = Math.min(matrix.length, MOST_CELLS)
  const [chosen, setChosen] = useState<readonly number[] | null>(null)
  const [from, to] = (chosen ?? [size - 2, size - 1]).map((place) => Math.max(0, Math.min(place, size - 1)))
  const point = (event: PointerEvent) => {
    const cell = (event.target as SVGElement).dataset.cell?.split(' ').map(Number)
    if (cell !== undefined && (cell[0] !== from || cell[1] !== to)) setChosen(cell)
  }
  const press = (event: KeyboardEvent) => {
    const step = KEYS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const cell = [from + step[0], to + step[1]].map((place) => Math.max(0, Math.min(place, size - 1)))
    setChosen(cell)
    const element = svg.current?.querySelector(`[data-cell="${cell.join(' ')}"]`)
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  return (
    <figure class="chart">
      <figcaption>
        <span>{title} (%)</span>
        <span class="tools">
          <button
            type="button"
            class="small quiet"
            aria-label={`Save “${title}” as SVG`}
            onClick={() => saveSvg(svg.current!, fileName(title))}
          >
            SVG
          </button>
        </span>
      </figcaption>
      <p class="cell" role="status">
        <strong>
          {names[from]} → {names[to]} {percentText(matrix[from][to])}
        </strong>{' '}
        {span}
      </p>
      <div
        class="heat"
        tabindex={0}
        role="group"
        aria-label={`${title}. Arrow keys go from cell to cell; the same numbers are in the result table.`}
        onKeyDown={press}
      >
        <Picture
          svg={svg}
          size={size}
          matrix={matrix}
          names={names}
          title={title}
          from={from}
          to={to}
          point={point}
        />
      </div>
      {matrix.length > MOST_CELLS && (
        <p class="hint">
          The first {MOST_CELLS} of {whole(matrix.length)} ratings.
        </p>
      )}
    </figure>
  )
}

/** A probability in percent with one decimal, or with more if one decimal would show 0 or 100. */
function percentText(p: number): string {
  const percent = 100 * p
  const rounded = percent.toFixed(1)
  return `${p > 0 && p < 1 && ['0.0', '100.0'].includes(rounded) ? short(percent) : Number(rounded)} %`
}

interface PictureProps extends Omit<HeatMapProps, 'span'> {
  readonly svg: RefObject<SVGSVGElement | null>
  /** The number of ratings that are shown. */
  readonly size: number
  /** The chosen cell. */
  readonly from: number
  readonly to: number
  point(event: PointerEvent): void
}

/** The picture, and beside it the names of the rows a second time, which stay in view while the columns scroll. */
function Picture({ svg, size, matrix, names, title, from, to, point }: PictureProps) {
  const isDark = useScheme() === 'dark'
  const ink = palette()
  // Black or white text has a contrast of at least 4.5 to every shade. They change at the shade that has equal contrast to both.
  const [weak, strong, change] = isDark ? ['#fff', '#000', 0.349] : ['#000', '#fff', 0.857]
  const cell = size > 12 ? 26 : 46
  const [width, height] = [LEFT + size * cell, TOP + size * cell]
  const fontSize = cell > 30 ? 12 : 9
  const middle = (i: number) => (i + 0.5) * cell
  const boxOf = (row: number, column: number) => ({
    x: LEFT + column * cell,
    y: TOP + row * cell,
    width: cell - 2,
    height: cell - 2,
    rx: 3,
  })
  const percent = (p: number) => (p === 0 ? '' : p < 0.0005 ? '<0.1' : (100 * p).toFixed(size > 12 ? 0 : 1))
  const clippedNames = names.slice(0, size).map((name) => clipped(name, LONGEST_NAME))
  const rows = matrix.slice(0, size)
  return (
    <>
      <svg
        class="names"
        viewBox={`0 0 ${LEFT} ${height}`}
        width={LEFT}
        height={height}
        aria-hidden="true"
        font-family={fontFamily()}
        font-size={fontSize}
      >
        <RowNames names={clippedNames} middle={middle} ink={ink} height={height} />
      </svg>
      <svg
        ref={svg}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={title}
        onPointerMove={point}
        onPointerDown={point}
        font-family={fontFamily()}
        font-size={fontSize}
      >
        <RowNames names={clippedNames} middle={middle} ink={ink} height={height} />
        <text x={LEFT + (size * cell) / 2} y="14" text-anchor="middle" font-size={12} fill={ink.soft}>
          To →
        </text>
        {rows.map((row, i) => (
          <>
            <text x={LEFT + middle(i)} y={TOP - 8} text-anchor="middle" fill={ink.ink}>
              {clippedNames[i]}
            </text>
            {row.slice(0, size).map((p, j) => (
              <>
                <rect
                  {...boxOf(i, j)}
                  fill={ink.first}
                  fill-opacity={(0.06 + 0.94 * p ** 0.5).toFixed(2)}
                  data-cell={`${i} ${j}`}
                />
                <text
                  x={LEFT + middle(j) - 1}
                  y={TOP + middle(i) - 1}
                  text-anchor="middle"
                  dominant-baseline="central"
                  pointer-events="none"
                  fill={p > change ? strong : weak}
                >
                  {percent(p)}
                </text>
              </>
            ))}
          </>
        ))}
        <rect {...boxOf(from, to)} fill="none" stroke={ink.second} stroke-width="2.5" pointer-events="none" />
      </svg>
    </>
  )
}

interface RowNamesProps {
  readonly names: readonly string[]
  middle(i: number): number
  readonly ink: Palette
  readonly height: number
}

const RowNames = ({ names, middle, ink, height }: RowNamesProps) => (
  <g>
    <text
      transform={`translate(12 ${(TOP + height) / 2}) rotate(-90)`}
      text-anchor="middle"
      font-size={12}
      fill={ink.soft}
    >
      ← From
    </text>
    {names.map((name, i) => (
      <text x={LEFT - 6} y={TOP + middle(i)} text-anchor="end" dominant-baseline="central" fill={ink.ink}>
        {name}
      </text>
    ))}
  </g>
)
