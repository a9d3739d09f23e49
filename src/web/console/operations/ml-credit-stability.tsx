/** Score stability: the shares of both samples by bin, the contribution of each bin to the index, and weights of evidence. */
import type { MlCreditStabilityData } from '../../../../clients/typescript/types.ts'
import type { TableSpec } from '../data/shapes.ts'
import { models } from '../kernels/models.ts'
import { labelOf } from '../labels.ts'
import { plural, short } from '../numbers.ts'
import { madeUp, type PictureProps, type Values } from '../operation.ts'
import { Chart, type ChartProps } from '../pictures/chart.tsx'
import { bars, horizontal, pairedBars } from '../pictures/layers.ts'
import { pairMarks } from '../pictures/marks.ts'
import { around, from0 } from '../pictures/sampling.ts'

export const lead =
  'To monitor a scorecard: whether the population that it scores has shifted since it was built.'

const labels = [1, 0]

/**
 * Each sample has a column of scores, and perhaps columns of labels and weights, in one table or in two files; or a column says
 * to which sample a row belongs.
 */
export const table: TableSpec = {
  kind: 'samples',
  fields: [
    'expected',
    'actual',
    'expected_y_true',
    'actual_y_true',
    'expected_weights',
    'actual_weights',
    'sample',
  ],
  needed: ['expected', 'actual'],
  choices: { expected_y_true: labels, actual_y_true: labels, sample: ['expected', 'actual'] },
}
export const { preview, model, resultOf } = models.mlCreditStability
export const headline = ({ psi, information_value: information }: MlCreditStabilityData) => [
  { name: 'psi', label: labelOf('psi'), value: psi, unit: bandOf(psi) },
  ...(information
    ? [
        { name: 'expected', label: 'Information value, expected', value: information.expected },
        { name: 'actual', label: 'Information value, actual', value: information.actual },
      ]
    : []),
]

/** The bounds of the index beyond which samples are said to have shifted (Siddiqi 2006). */
const BANDS = [
  { from: 0.1, label: '0.1 some shift' },
  { from: 0.25, label: '0.25 major shift' },
] as const

const bandOf = (psi: number): string =>
  psi < BANDS[0].from
    ? 'below 0.1: stable'
    : psi < BANDS[1].from
      ? '0.1 to 0.25: some shift'
      : '0.25 and more: major shift'

/** The invented scores of two samples; the second ones are lower. */
export const sample = {
  edges: null,
  n_bins: 6,
  monotone: true,
  ...scored('expected', 1, 0),
  ...scored('actual', 5, -25),
}

function scored(name: string, salt: number, shift: number) {
  const random = (i: number, more: number) => madeUp(i, salt + more)
  const places = Array.from({ length: 60 }, (_, i) => i)
  const scores = places.map((i) =>
    Math.round(550 + 60 * (random(i, 1) + random(i, 2) + random(i, 3)) + shift),
  )
  const labels = scores.map((score, i) => (random(i, 4) < 1 / (1 + Math.exp((score - 610) / 25)) ? 1 : 0))
  return { [name]: scores, [`${name}_y_true`]: labels }
}

const names = ['Expected', 'Actual']

export function Picture({ data }: PictureProps<Values, MlCreditStabilityData>) {
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
  const shares = bins.map((bin) => bin.expected_share)
  const moved = bins.map((bin) => bin.actual_share)
  const parts = bins.map((bin) => bin.contribution)
  const across = [0.5, bins.length + 0.5] as const
  const sums = parts.map((_, i) => parts.slice(0, i + 1).reduce((sum, part) => sum + part, 0))
  const xText = (place: number) => textOfBin(bins[place - 1])
  const common = { height: 300, x: places, xLabel: 'Scores', counts: 'x', xText, xLines: 2 }
  const above = (values: readonly number[]) => ({ x: across, y: from0(values) })
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
          layers={[pairedBars(shares, moved, { series: names })]}
        />
        <Chart
          {...common}
          title="PSI by bin, and its sum"
          summary={`Population stability index ${short(psi)}, as the sum over ${plural(bins.length, 'bin')}.`}
          yLabel="Contribution, and sum so far"
          range={above([...parts, ...sums, BANDS[1].from])}
          numbers={numbers}
          lines={[{ label: 'Sum', y: sums, color: 'second', points: true }]}
          layers={[
            bars(edges, parts, { series: 'Contribution' }),
            ...BANDS.map(({ from, label }) => horizontal(from, { label, color: 'muted' })),
          ]}
        />
        {data.information_value && <Weights {...common} across={across} bins={bins} />}
      </div>
      <p class="hint">
        The usual bands of the index: below 0.1 the scores are stable, from 0.1 to 0.25 they have shifted
        somewhat, from 0.25 on the scorecard should be looked into.
      </p>
    </>
  )
}

/** The scores of a bin, in two lines. */
const textOfBin = (bin: MlCreditStabilityData['bins'][number] | undefined): string =>
  bin === undefined ? '' : `${short(bin.lower)}\nto ${short(bin.upper)}`

type Common = Pick<ChartProps, 'height' | 'x' | 'xLabel' | 'counts' | 'xText' | 'xLines'>

interface WeightsProps extends Common {
  readonly across: readonly [number, number]
  /** With weights of evidence. */
  readonly bins: MlCreditStabilityData['bins']
}

function Weights({ across, bins, ...common }: WeightsProps) {
  const [expected, actual] = (['expected', 'actual'] as const).map((name) =>
    bins.map((bin) => bin.weight_of_evidence![name]),
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
