/** Score stability: the shares of both samples by bin, the contribution of each bin to the index, and weights of evidence. */
// @ts-nocheck: to be converted
import { models } from '../kernels/models.ts'
import { labelOf } from '../labels.ts'
import { madeUp } from '../made-up.ts'
import { plural, short } from '../numbers.ts'
import { Chart } from '../pictures/chart.tsx'
import { bars, pairedBars } from '../pictures/layers.ts'
import { pairMarks } from '../pictures/marks.ts'
import { around, from0 } from '../pictures/sampling.ts'

const labels = [1, 0]

/** Each sample has a column of scores, and perhaps columns of labels and weights, in one table or in two files. */
export const table = {
  kind: 'samples',
  fields: ['expected', 'actual', 'expected_y_true', 'actual_y_true', 'expected_weights', 'actual_weights'],
  needed: ['expected', 'actual'],
  choices: { expected_y_true: labels, actual_y_true: labels },
}
export const { preview, model, resultOf } = models.mlCreditStability
export const headline = ({ psi, information_value: information }) => [
  { name: 'psi', label: labelOf('psi'), value: psi },
  ...(information
    ? [
        { name: 'expected', label: 'Information value, expected', value: information.expected },
        { name: 'actual', label: 'Information value, actual', value: information.actual },
      ]
    : []),
]

/** The invented scores of two samples; the second ones are lower. */
export const sample = {
  edges: null,
  n_bins: 6,
  monotone: true,
  ...scored('expected', 1, 0),
  ...scored('actual', 5, -25),
}

function scored(name, salt, shift) {
  const random = (i, more) => madeUp(i, salt + more)
  const places = Array.from({ length: 60 }, (_, i) => i)
  const scores = places.map((i) =>
    Math.round(550 + 60 * (random(i, 1) + random(i, 2) + random(i, 3)) + shift),
  )
  const labels = scores.map((score, i) => (random(i, 4) < 1 / (1 + Math.exp((score - 610) / 25)) ? 1 : 0))
  return { [name]: scores, [`${name}_y_true`]: labels }
}

const names = ['Expected', 'Actual']

export function Picture({ data }) {
  const { bins, psi } = data
  const places = bins.map((_, i) => i + 1)
  const edges = [0.5, ...places.map((place) => place + 0.5)]
  const numbers = () => [
    ['Bin', 'From', 'To', 'Expected share', 'Actual share', 'Contribution'],
    ...bins.map((bin, i) => [
      i + 1,
      bin.lower,
      bin.upper,
      bin.expected_share,
      bin.actual_share,
      bin.contribution,
    ]),
  ]
  const common = { height: 280, x: places, xLabel: 'Bin', counts: 'x' }
  const shares = bins.map((bin) => bin.expected_share)
  const moved = bins.map((bin) => bin.actual_share)
  const parts = bins.map((bin) => bin.contribution)
  const across = [0.5, bins.length + 0.5]
  const above = (values) => ({ x: across, y: from0(values) })
  return (
    <>
      <div class="charts">
        <Chart
          {...common}
          title="Shares by bin"
          summary={`Shares of both samples in ${plural(bins.length, 'bin')}.`}
          yLabel="Share of the sample"
          range={above([...shares, ...moved])}
          numbers={numbers}
          marks={pairMarks(names)}
          layers={[pairedBars(shares, moved)]}
        />
        <Chart
          {...common}
          title="PSI by bin"
          summary={`Population stability index ${short(psi)}, as the sum over ${plural(bins.length, 'bin')}.`}
          yLabel="Contribution to the index"
          range={above(parts)}
          numbers={numbers}
          layers={[bars(edges, parts)]}
        />
        {data.information_value && <Weights {...common} across={across} bins={bins} />}
      </div>
      <p class="hint">
        {bins
          .map(({ lower, upper }, i) => `${i + 1}: ${short(lower)} to ${short(upper)}`)
          .slice(0, 12)
          .join('; ')}
        {bins.length > 12 ? '; …' : ''}
      </p>
    </>
  )
}

function Weights({ across, bins, ...common }) {
  const [expected, actual] = ['expected', 'actual'].map((name) =>
    bins.map((bin) => bin.weight_of_evidence[name]),
  )
  return (
    <Chart
      {...common}
      title="Weight of evidence by bin"
      summary="Logarithm of the share of non-defaults over that of defaults, by bin of both samples."
      yLabel="Weight of evidence"
      range={{ x: across, y: around([0, ...expected, ...actual]) }}
      lines={[
        { label: 'Expected', y: expected, points: true },
        { label: 'Actual', y: actual, points: true, color: 'second' },
      ]}
    />
  )
}
