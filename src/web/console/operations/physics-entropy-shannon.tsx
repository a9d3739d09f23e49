/** Shannon entropy: the probabilities, and the contribution of each to the entropy. */
import type { PhysicsEntropyShannonData } from '../../../../clients/typescript/types.ts'
import { entropy } from '../../../numerics/results/scalars.ts'
import type { SentTable, TableSpec } from '../data/shapes.ts'
import { plural, short } from '../numbers.ts'
import type { PictureProps } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { bars } from '../pictures/layers.ts'
import { namedAxis, ofRows } from '../pictures/named-axis.ts'
import { from0 } from '../pictures/sampling.ts'

export const lead =
  'To measure how concentrated shares or probabilities are: 0 if one has all, the most if all are equal.'

export const table: TableSpec = { kind: 'columns', fields: ['probabilities'] }
export const preview = entropy
export const headline = (data: PhysicsEntropyShannonData) => [
  { name: 'shannon_entropy', label: 'Entropy', value: data.shannon_entropy, unit: unitOf(data.base) },
]

/** The unit of an entropy, by the base of its logarithm. */
const unitOf = (base: number): string =>
  ({ 2: 'bits', 10: 'dits', [Math.E]: 'nats' })[base] ?? `by logarithms to the base ${short(base)}`

export const sample = { probabilities: '0.32, 0.21, 0.14, 0.11, 0.08, 0.06, 0.05, 0.03', base: 2 }

const MOST_BARS = 400

type Props = PictureProps<Parameters<typeof preview>[0], PhysicsEntropyShannonData, unknown, SentTable>

export function Picture({ values: { base, probabilities }, data, table }: Props) {
  const length = Math.min(probabilities.length, MOST_BARS)
  const shown = Array.from({ length }, (_, i) => probabilities[i])
  const edges = Array.from({ length: length + 1 }, (_, i) => i + 0.5)
  const parts = shown.map((p) => (p > 0 ? (-p * Math.log(p)) / Math.log(base) : 0))
  const count = plural(probabilities.length, 'outcome')
  const even = Math.log(probabilities.length) / Math.log(base)
  const named = namedAxis(table, 'Outcome')
  const numbers = () => [
    [named.xLabel, 'Probability', 'Contribution to the entropy'],
    ...shown.map((p, i) => [table.heading === null ? i + 1 : table.nameOf(i), p, parts[i]]),
  ]
  const common = { ...named, counts: 'x', numbers }
  const range = (numbers: readonly number[]) => ({
    x: [0.5, length + 0.5] as const,
    y: from0(numbers),
  })
  return (
    <>
      <div class="charts">
        <Chart
          {...common}
          title="Probabilities"
          yLabel="Probability"
          range={range(shown)}
          summary={`Probabilities of ${count}.`}
          layers={[bars(edges, shown, ofRows(table))]}
        />
        <Chart
          {...common}
          title="Contribution to the entropy"
          yLabel="−p·log p"
          range={range(parts)}
          summary={`Entropy ${short(data.shannon_entropy)}; ${count} of equal probability would have ${short(even)}.`}
          layers={[bars(edges, parts, { color: 'third', ...ofRows(table) })]}
        />
      </div>
      <p class="hint">
        {length < probabilities.length && `The first ${MOST_BARS} of them are drawn. `}
        {count} of equal probability would have an entropy of {short(even)}.
      </p>
    </>
  )
}
