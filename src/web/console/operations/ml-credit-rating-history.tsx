/** Rating history: the counted moves as a heat map of their shares or rates. */
import type {
  MlCreditRatingHistoryData,
  MlCreditRatingHistoryInput,
} from '../../../../clients/typescript/types.ts'
import { history } from '../../../numerics/results/rating-history.ts'
import { labelOf } from '../labels.ts'
import type { PictureProps } from '../operation.ts'
import { HeatMap } from '../pictures/heat-map.tsx'

export const lead =
  'To count the moves in a list of ratings with their dates, as the input of a migration matrix or generator.'

export const preview = history

type Values = Required<MlCreditRatingHistoryInput>

export const headline = (data: MlCreditRatingHistoryData) =>
  (['entities', 'withdrawals', 'unrated_years'] as const).map((name) => ({
    name,
    label: name === 'entities' ? 'Rated entities' : labelOf(name),
    value: data[name],
  }))

export function Picture({ values, data }: PictureProps<Values, MlCreditRatingHistoryData>) {
  const { transitions, exposures, ratings } = data
  const isDuration = exposures !== undefined
  const shares = transitions.map((row, from) => {
    const all = isDuration ? exposures[from] : row.reduce((sum, count) => sum + count, 0)
    return row.map((count) => (all > 0 ? count / all : 0))
  })
  return (
    <div class="charts">
      <HeatMap
        title={isDuration ? 'Moves per year in the rating' : 'Share of the moves from each rating'}
        span={isDuration ? 'per year' : `over ${values.period === 1 ? 'one year' : `${values.period} years`}`}
        matrix={shares}
        names={ratings}
      />
    </div>
  )
}

/** The counts as a table. */
export const matrices = ({ ratings, transitions }: MlCreditRatingHistoryData) => [
  { title: labelOf('transitions'), rows: transitions, names: ratings },
]
