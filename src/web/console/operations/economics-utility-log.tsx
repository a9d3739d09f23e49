/** Logarithmic utility: the curve with its tangent. */
import type {
  EconomicsUtilityLogData,
  EconomicsUtilityLogInput,
} from '../../../../clients/typescript/types.ts'
import { utility } from '../../../numerics/results/scalars.ts'
import { quantities } from '../greek-units.ts'
import { short } from '../numbers.ts'
import type { PictureProps } from '../operation.ts'
import { Chart } from '../pictures/chart.tsx'
import { point } from '../pictures/layers.ts'
import { evenly } from '../pictures/sampling.ts'

export const lead = 'To measure the attitude to risk that logarithmic utility implies at a level of wealth.'

export const preview = utility
export const headline = (data: EconomicsUtilityLogData) => quantities(Object.keys(data), data)

export function Picture({ values, data }: PictureProps<EconomicsUtilityLogInput, EconomicsUtilityLogData>) {
  const { wealth } = values
  const places = evenly(wealth * 0.02, wealth * 2.5, 161)
  return (
    <div class="charts">
      <Chart
        title="Utility against wealth, with its tangent"
        summary={`Utility ${short(data.utility)} at wealth ${short(wealth)}; slope ${short(data.marginal_utility)}.`}
        height={320}
        range={{ y: [data.utility - 3, data.utility + 1.6] }}
        x={places}
        xLabel="Wealth"
        yLabel="Utility"
        lines={[
          { label: 'ln(wealth)', y: places.map(Math.log), fill: false },
          {
            label: 'Tangent: marginal utility',
            y: places.map((place) => data.utility + data.marginal_utility * (place - wealth)),
            color: 'second',
          },
        ]}
        layers={[point(wealth, data.utility, { label: short(data.utility) })]}
      />
    </div>
  )
}
