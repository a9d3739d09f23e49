/** Isolation forest: the scores as a histogram with the threshold, and two chosen columns as a scatter. */
import { useMemo, useState } from 'preact/hooks'
import type { SentMatrix, TableSpec } from '../data/shapes.ts'
import { models } from '../kernels/models.ts'
import type { ScoredRows } from '../kernels/tables.ts'
import { plural, short, whole } from '../numbers.ts'
import { madeUp, type PictureProps, type Values } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { bars, dots, vertical } from '../pictures/layers.ts'
import { pairMarks } from '../pictures/marks.ts'
import { ofBins, ofRows } from '../pictures/named-axis.ts'
import { FlaggedNames, isTimed, OverTime } from '../pictures/over-time.tsx'
import { around, from0 } from '../pictures/sampling.ts'

export const lead = 'To find unusual rows, also those of which each value alone is ordinary.'

export const table: TableSpec = { kind: 'matrix', field: 'X', byRow: true }
export const { preview, model, resultOf } = models.mlClusteringIsolationForest
/** A hundred trees take longer than a frame. */
export const isLong = true
export const headline = ({ flagged, rows, threshold }: ScoredRows) => [
  { name: 'predictions', label: `Anomalies among ${plural(rows, 'row')}`, value: flagged },
  { name: 'threshold', label: 'Score threshold', value: threshold },
]

/** Invented rows: two clusters and a few outliers. */
export const sample = { X: clouds(), contamination: 0.05 }

export function clouds() {
  const normal = (i: number, salt: number) =>
    Math.sqrt(-2 * Math.log(madeUp(i, salt) + 1e-9)) * Math.cos(2 * Math.PI * madeUp(i, salt + 1))
  const lines = Array.from({ length: 160 }, (_, i) => {
    if (i % 32 === 31) return [8 * madeUp(i, 7) - 2, 8 * madeUp(i, 9) - 2]
    const centre = i % 2 === 0 ? [1, 1] : [4, 3]
    return [centre[0] + 0.5 * normal(i, 1), centre[1] + 0.4 * normal(i, 3)]
  })
  return ['first, second', ...lines.map((row) => row.map((value) => value.toFixed(2)).join(', '))].join('\n')
}

type Shape = ReturnType<typeof model>

export function Picture({ data, model, table }: PictureProps<Values, ScoredRows, Shape, SentMatrix>) {
  const { edges, counts, above } = model
  const { scores, threshold } = data
  const width = edges[1] - edges[0]
  const isFlagged = useMemo(() => (row: number) => scores[row] > threshold, [scores, threshold])
  return (
    <div class="charts">
      <Chart
        title="Anomaly scores"
        counts="y"
        summary={`Histogram of the anomaly scores; ${whole(data.flagged)} of ${plural(data.rows, 'row')} lie above the threshold ${short(threshold)}.`}
        height={280}
        range={{
          x: [edges[0] - width, Math.max(edges.at(-1)!, threshold < 1 ? threshold : 0) + width],
          y: from0(counts),
        }}
        xLabel="Anomaly score"
        yLabel="Rows"
        numbers={() => [
          ['From', 'To', 'Rows', 'Anomalies'],
          ...counts.map((count, i) => [edges[i], edges[i + 1], count, above[i]]),
        ]}
        marks={pairMarks(['Normal', 'Anomaly'])}
        layers={[
          bars(edges, counts, { color: 'second', hatched: 'second', series: 'All rows', ...ofBins(edges) }),
          bars(
            edges,
            counts.map((count, i) => count - above[i]),
            { series: 'Normal', ...ofBins(edges) },
          ),
          ...(threshold < 1
            ? [vertical(threshold, { label: `threshold ${short(threshold)}`, color: 'ink' })]
            : []),
        ]}
      />
      {table.columns > 1 && <Scatter data={data} sample={model.sample} table={table} />}
      {isTimed(table) && <OverTime table={table} isFlagged={isFlagged} word="Anomaly" />}
      <FlaggedNames table={table} isFlagged={isFlagged} word="Anomalies" />
    </div>
  )
}

interface ScatterProps extends Pick<Shape, 'sample'> {
  readonly data: ScoredRows
  readonly table: SentMatrix
}

function Scatter({ data: { flagged, rows, scores, threshold }, sample, table }: ScatterProps) {
  const [[across, up], setAxes] = useState<readonly number[]>([0, 1])
  const value = (row: number, column: number) =>
    table.values[row * table.columns + Math.min(column, table.columns - 1)]
  const xs = Array.from(sample, (row) => value(row, across))
  const ys = Array.from(sample, (row) => value(row, up))
  const isAnomaly = (i: number) => scores[sample[i]] > threshold
  const anomalies = xs.filter((_, i) => isAnomaly(i)).length
  const choose = (which: number, text: string) =>
    setAxes((axes) => axes.map((axis, i) => (i === which ? Number(text) : axis)))
  const select = (label: string, chosen: number, which: number) => (
    <label>
      {label}
      <select value={chosen} onChange={(event) => choose(which, event.currentTarget.value)}>
        {table.names.map((name, i) => (
          <option value={i}>{name}</option>
        ))}
      </select>
    </label>
  )
  return (
    <div>
      <Chart
        title={`${table.names[up]} against ${table.names[across]}`}
        summary={`Scatter of ${whole(xs.length)} of ${plural(rows, 'row')}; ${whole(anomalies)} of them are anomalies, which are marked.`}
        height={280}
        range={{ x: around(xs), y: around(ys) }}
        xLabel={table.names[across]}
        yLabel={table.names[up]}
        numbers={() => [
          [table.heading ?? 'Row', table.names[across], table.names[up], 'Anomaly'],
          ...xs.map((x, i) => [table.nameOf(sample[i]), x, ys[i], isAnomaly(i)]),
        ]}
        marks={[
          { label: 'Normal', color: 'first' },
          { label: 'Anomaly', color: 'second' },
        ]}
        layers={[
          dots(xs, ys, {
            color: (i) => (isAnomaly(i) ? 'second' : 'first'),
            size: xs.length > 500 ? 2.2 : 4,
            ...ofRows(table, (i) => sample[i]),
          }),
        ]}
      />
      {xs.length < rows && (
        <p class="hint">
          A sample of {whole(xs.length)} of {plural(rows, 'row')}, each as likely as the others:{' '}
          {whole(anomalies)} of the {whole(flagged)} anomalies are drawn.
        </p>
      )}
      <p class="axes">
        {select('x', across, 0)} {select('y', up, 1)}
      </p>
    </div>
  )
}
