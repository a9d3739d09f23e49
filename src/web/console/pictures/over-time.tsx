/** A column of a table over the dates of its rows, with the rows that are flagged. */
import { useMemo, useState } from 'preact/hooks'
import type { SentMatrix, SentTable } from '../data/shapes.ts'
import { plural, whole } from '../numbers.ts'
import { dateText } from '../times.ts'
import { Chart } from './chart.tsx'
import { dots, labelled } from './layers.ts'
import { ofRows } from './named-axis.ts'
import { around, visible } from './sampling.ts'

const MOST_LABELS = 4
const MOST_NAMED = 12

interface FlaggedProps<Sent extends SentTable> {
  readonly table: Sent
  isFlagged(row: number): boolean
  /** The noun for flagged rows. */
  readonly word: string
}

/** A matrix whose rows have times. */
type TimedMatrix = SentMatrix & { readonly times: Float64Array; readonly heading: string }

export const isTimed = (table: SentMatrix): table is TimedMatrix => table.times !== null

export function OverTime({ table, isFlagged, word }: FlaggedProps<TimedMatrix>) {
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, table.columns - 1)
  const shown = useMemo(() => seriesOf(table, at, isFlagged), [table, at, isFlagged])
  const { x, y, drawn, flagged, order } = shown
  const name = table.names[at]
  return (
    <div>
      <Chart
        title={`${name} over time`}
        summary={`${name} from ${dateText(1000 * x[0])} to ${dateText(1000 * x.at(-1)!)}; ${plural(flagged.length, 'row')} marked: ${flagged
          .slice(0, MOST_NAMED)
          .map((i) => dateText(1000 * x[i]))
          .join(', ')}.`}
        height={260}
        isTime
        range={{ x: around(x, 0.02), y: around(y, 0.12) }}
        x={drawn.map((i) => x[i])}
        xLabel={table.heading}
        yLabel={name}
        lines={[{ label: name, y: drawn.map((i) => y[i]), width: 1.25 }]}
        marks={[{ label: word, color: 'second' }]}
        layers={[
          dots(
            flagged.map((i) => x[i]),
            flagged.map((i) => y[i]),
            { color: 'second', size: 3.5, alpha: 1, ...ofRows(table, (i) => order[flagged[i]]) },
          ),
          labelled(farthest(shown).map((i) => [x[i], y[i], dateText(1000 * x[i])] as const)),
        ]}
        numbers={() => rowsOf(shown, [table.heading, name, word])}
      />
      {table.columns > 1 && (
        <p class="axes">
          <label>
            Column{' '}
            <select value={at} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
              {table.names.map((one, i) => (
                <option value={i} selected={i === at}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        </p>
      )}
    </div>
  )
}

interface Series {
  /** The rows in the order of time. */
  readonly order: readonly number[]
  readonly x: readonly number[]
  readonly y: readonly number[]
  /** The places of the values that are drawn. */
  readonly drawn: readonly number[]
  readonly flagged: readonly number[]
}

/** The values and flags of a column in the order of time. */
function seriesOf(
  { values, columns, times }: TimedMatrix,
  at: number,
  isFlagged: (row: number) => boolean,
): Series {
  const order = Array.from(times, (_, row) => row)
    .filter((row) => !Number.isNaN(times[row]))
    .sort((a, b) => times[a] - times[b])
  const x = order.map((row) => times[row] / 1000)
  const y = order.map((row) => values[row * columns + at])
  const flagged = order.flatMap((row, i) => (isFlagged(row) ? [i] : []))
  return { order, x, y, drawn: visible([x, y]), flagged }
}

function rowsOf({ x, y, flagged }: Series, heading: readonly string[]) {
  const isMarked = new Set(flagged)
  return [heading, ...x.map((time, i) => [dateText(1000 * time), y[i], isMarked.has(i)])]
}

/** The flagged places whose values are farthest from the median. */
function farthest({ y, flagged }: Series): number[] {
  const median = [...y].sort((a, b) => a - b)[y.length >> 1]
  return [...flagged].sort((a, b) => Math.abs(y[b] - median) - Math.abs(y[a] - median)).slice(0, MOST_LABELS)
}

/** The names of the flagged rows, where the table has names. */
export function FlaggedNames({ table, isFlagged, word }: FlaggedProps<SentTable>) {
  const rows = useMemo(
    () => Array.from({ length: table.rows }, (_, i) => i).filter(isFlagged),
    [table, isFlagged],
  )
  if (table.heading === null || rows.length === 0) return null
  const more = rows.length - MOST_NAMED
  return (
    <p class="flagged">
      <strong>{word}:</strong>{' '}
      {rows
        .slice(0, MOST_NAMED)
        .map((row) => table.nameOf(row))
        .join(', ')}
      {more > 0 ? ` and ${whole(more)} more` : ''}
    </p>
  )
}
