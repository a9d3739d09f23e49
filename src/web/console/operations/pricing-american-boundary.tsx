/** Exercise boundary: the critical prices against the time to maturity. */
import type { PricingAmericanBoundaryData } from '../../../../clients/typescript/types.ts'
import { boundary, drawnBoundary } from '../../../numerics/results/american.ts'
import { short } from '../numbers.ts'
import type { PictureProps } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { point } from '../pictures/layers.ts'
import { evenly } from '../pictures/sampling.ts'

export const lead =
  'To decide when to exercise an American option early: the spot price at which exercise is optimal, by the time left.'

export const preview = boundary

type Values = Parameters<typeof boundary>[0]
/** The share of the axis beside the first and last times, where their points need room. */
const MARGIN = 0.02

/** The critical prices at the last time; none if exercise is never optimal. */
export const headline = ({ critical_prices }: PricingAmericanBoundaryData) =>
  critical_prices.at(-1)!.map((value, i) => ({
    name: `critical_prices_${i}`,
    label: 'Critical price',
    value,
    unit: 'in currency',
  }))

export function Picture({ values, data }: PictureProps<Values, PricingAmericanBoundaryData>) {
  const { time_to_maturity: longest } = values
  const times = evenly(0, longest, 97)
  const prices = pricesAt(values, times)
  const most = Math.max(...[...prices, ...data.critical_prices].map(({ length }) => length))
  const lines = (['first', 'third'] as const).slice(0, most).map((color, line) => ({
    label: most === 1 ? 'Critical price' : ['Lower', 'Upper'][line],
    y: prices.map((found) => found[line] ?? null),
    color,
  }))
  const points = values.times.flatMap((time, index) =>
    data.critical_prices[index].map((price) => point(time, price, { label: short(price) })),
  )
  return (
    <div class="charts">
      <Chart
        title="Exercise boundary"
        summary={
          most === 0
            ? 'Exercise is never optimal.'
            : `Critical prices at ${values.times.length} times to maturity.`
        }
        height={320}
        x={times}
        xLabel="Time to maturity"
        yLabel="Spot price"
        range={longest > 0 ? { x: [-MARGIN * longest, (1 + MARGIN) * longest] } : undefined}
        lines={
          most === 0 ? [{ label: 'Strike price', y: times.map(() => values.strike), isGuide: true }] : lines
        }
        layers={points.slice(0, 20)}
      />
    </div>
  )
}

/** The critical prices at times. One that is refused leaves a gap, because the request may have had only other times. */
function pricesAt(values: Values, times: number[]): readonly (readonly number[])[] {
  try {
    return drawnBoundary({ ...values, times }).critical_prices
  } catch {
    return times.length === 1 ? [[]] : times.flatMap((time) => pricesAt(values, [time]))
  }
}
