/** Isolation forest score: the scores of rows by a fitted forest, and the attributions of the most anomalous row. */
import { writeModel } from '../../../numerics/forest/forest-model.ts'
import { isolationForest } from '../../../numerics/forest/isolation-forest.ts'
import { flatten } from '../../../numerics/matrices/matrix.ts'
import type { SentMatrix } from '../data/shapes.ts'
import { models } from '../kernels/models.ts'
import type { ScoredRows } from '../kernels/tables.ts'
import { plural, whole } from '../numbers.ts'
import type { PictureProps, Values } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { pairedBars } from '../pictures/layers.ts'
import { pairMarks } from '../pictures/marks.ts'
import { from0 } from '../pictures/sampling.ts'
import { clouds, Picture as Forest } from './ml-clustering-isolation-forest.tsx'

export const lead =
  'To score new rows by a forest that was fitted before, and to see which columns make a row unusual.'

export { isLong } from './ml-clustering-isolation-forest.tsx'
export { table } from './ml-clustering-isolation-forest-fit.ts'
export const { preview, model, resultOf } = models.mlClusteringIsolationForestScore
export const headline = ({ flagged, most, rows }: ScoredRows) => [
  { name: 'predictions', label: `Anomalies among ${plural(rows, 'row')}`, value: flagged },
  { name: 'score', label: 'Highest score', value: most },
]

/** The rows of the sample of the fit, and a small forest that is fitted to them. */
export const sample = { X: clouds(), model: fitted(), attributions: true }

function fitted() {
  const [headings, ...lines] = clouds().split('\n')
  const X = flatten(
    lines.map((line) => line.split(',').map(Number)),
    'X',
  )
  const fitted = isolationForest(X, { trees: 20, contamination: 0.05, seed: 0, samples: 64 })
  return writeModel({ ...fitted, names: headings.split(', ') })
}

const names = ['The row', 'Mean of all rows']
const colors = ['second', 'first'] as const

type Shape = ReturnType<typeof model>

export function Picture(given: PictureProps<Values, ScoredRows, Shape, SentMatrix>) {
  const { model, table } = given
  return (
    <>
      <Forest {...given} />
      {'own' in model && <Shares model={model} table={table} />}
    </>
  )
}

const MOST_COLUMNS = 24

interface SharesProps {
  readonly model: Extract<Shape, { readonly own: unknown }>
  readonly table: SentMatrix
}

function Shares({ model: { mean, own, row }, table }: SharesProps) {
  const shown = own.slice(0, MOST_COLUMNS)
  const title = table.names.slice(0, MOST_COLUMNS).join(', ')
  return (
    <div class="charts">
      <div>
        <Chart
          title={`Attributions of ${table.nameOf(row)}, the most anomalous`}
          summary={`Mean path length by column of the most anomalous row, and of all rows on average: ${title}.`}
          height={260}
          x={shown.map((_, i) => i + 1)}
          xLabel="Column"
          counts="x"
          xText={(place) => table.names[place - 1] ?? ''}
          yLabel="Part of the mean path length"
          range={{ x: [0.5, shown.length + 0.5], y: from0([...shown, ...mean.slice(0, MOST_COLUMNS)]) }}
          numbers={() => [['Column', ...names], ...own.map((share, i) => [i + 1, share, mean[i]])]}
          marks={pairMarks(names, colors)}
          layers={[pairedBars(shown, mean, { series: names, colors })]}
        />
        <p class="hint">
          A shorter path means a more unusual row: columns whose part is below the mean made the row stand
          out.
        </p>
        {own.length > MOST_COLUMNS && (
          <p class="hint">
            The first {MOST_COLUMNS} of {whole(own.length)} columns are drawn.
          </p>
        )}
      </div>
    </div>
  )
}
