/** Rating migration generator: the rates as a heat map, and the probabilities of default over time. */
import type { MlCreditMigrationGeneratorData } from '../../../../clients/typescript/types.ts'
import type { SentTable, TableSpec } from '../data/shapes.ts'
import { models } from '../kernels/models.ts'
import { plural } from '../numbers.ts'
import type { PictureProps } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { HeatMap } from '../pictures/heat-map.tsx'
import { type Layer, upright } from '../pictures/layers.ts'
import { colors, sample as counts, namesOf } from './ml-credit-migration.tsx'

export const lead =
  'To get probabilities of default for any horizon, not only for full years, from the moves of ratings.'

export const table: TableSpec = { kind: 'transitions', field: 'transitions' }
export const { preview, model, resultOf } = models.mlCreditMigrationGenerator
/** Two hundred ratings take seconds. */
export const isLong = true
export const sample = { transitions: counts.transitions }
export const headline = ({ default_probabilities: rows }: MlCreditMigrationGeneratorData) => {
  const last = rows.at(-1)
  if (last === undefined) return []
  return [
    { name: 'best', label: 'Default of the best rating, last time', value: last[0], unit: 'probability' },
    {
      name: 'worst',
      label: 'Default of the last but one rating',
      value: last.at(-2) ?? last[0],
      unit: 'probability',
    },
  ]
}

type Props = PictureProps<
  Parameters<typeof preview>[0],
  MlCreditMigrationGeneratorData,
  ReturnType<typeof model>,
  SentTable
>

export function Picture({ data, model, table, values }: Props) {
  const rates = data.generator.map((row, i) => row.map((rate, j) => (i === j ? 0 : rate)))
  const names = namesOf(table, rates.length)
  const upper = data.default_probabilities_upper
  const highest =
    1.05 * (upper ?? []).flatMap((row) => row.slice(0, -1)).reduce((a, b) => Math.max(a, b), 1e-9)
  const lines = model.curves.slice(0, -1).map((y, i) => ({
    label: names[i],
    y,
    color: colors[i % colors.length],
  }))
  return (
    <>
      <div class="charts">
        {lines.length > 0 && lines.length <= 30 && (
          <Chart
            title="Probability of default over time"
            summary={`Cumulative probability of default from each rating over ${model.places.at(-1)} years${upper ? `, with its interval at ${plural(values.times.length, 'time')}` : ''}.`}
            height={320}
            x={model.places}
            xLabel="Years"
            yLabel="Probability"
            lines={lines}
            range={upper && { x: [0, model.places.at(-1)!], y: [0, highest] }}
            layers={intervals(data, values.times)}
          />
        )}
        <div>
          <HeatMap title="Rates per year" span="per year" matrix={rates} names={names} />
        </div>
      </div>
      <p class="hint">
        {data.warning && <strong>{data.warning} </strong>}
        {data.embeddable
          ? 'The matrix of one year has this generator.'
          : 'No generator of this kind has the matrix of one year exactly: this is the nearest one.'}
      </p>
    </>
  )
}

/** The intervals of the bootstrap: vertical lines between the bounds at each time, in the colours of the ratings. */
function intervals(data: MlCreditMigrationGeneratorData, times: readonly number[]): Layer[] {
  const { default_probabilities_lower: lower, default_probabilities_upper: upper } = data
  if (lower === undefined || upper === undefined) return []
  return times.flatMap((time, at) =>
    lower[at]
      .slice(0, -1)
      .map((bound, rating) =>
        upright(time, bound, upper[at][rating], { color: colors[rating % colors.length], width: 3 }),
      ),
  )
}

/** The generator as a table. */
export const matrices = (data: MlCreditMigrationGeneratorData, table: SentTable) => [
  { title: 'Generator', rows: data.generator, names: namesOf(table, data.generator.length) },
]
