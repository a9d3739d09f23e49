/** Rating history: the counted moves as a heat map of their shares or rates, which can be sent on to migration. */
import type { MlCreditRatingHistoryData } from '../../../../clients/typescript/types.ts'
import { SmallButton } from '../buttons.tsx'
import type { TableSpec } from '../data/shapes.ts'
import { handOver } from '../handed-file.ts'
import { models } from '../kernels/models.ts'
import { labelOf } from '../labels.ts'
import { addressOf } from '../link.ts'
import { madeUp, type PictureProps } from '../operation.ts'
import { HeatMap } from '../pictures/heat-map.tsx'

export const lead =
  'To count the moves in a list of ratings with their dates, as the input of a migration matrix or generator.'

export const table: TableSpec = {
  kind: 'history',
  fields: ['entities', 'dates', 'ratings'],
  more: ['times', 'order', 'withdrawn'],
}
export const { preview, resultOf } = models.mlCreditRatingHistory

type Values = Parameters<typeof preview>[0]

export const sample = { entities: issuers() }

/** The invented ratings of 40 issuers at the ends of six years. */
function issuers() {
  const scale = ['AA', 'A', 'BBB', 'BB', 'B', 'D']
  const lines = Array.from({ length: 40 }, (_, issuer) => {
    let place = Math.floor(5 * madeUp(issuer, 1))
    return Array.from({ length: 6 }, (_, year) => {
      const u = madeUp(issuer, 10 + year)
      if (year > 0 && place < 5) place = Math.min(5, Math.max(0, place + (u < 0.08 ? -1 : u > 0.86 ? 1 : 0)))
      return `Issuer ${issuer + 1}, ${2019 + year}-12-31, ${scale[place]}`
    })
  })
  return ['entities, dates, ratings', ...lines.flat()].join('\n')
}

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
    <>
      <div class="charts">
        <HeatMap
          title={isDuration ? 'Moves per year in the rating' : 'Share of the moves from each rating'}
          span={
            isDuration ? 'per year' : `over ${values.period === 1 ? 'one year' : `${values.period} years`}`
          }
          matrix={shares}
          names={ratings}
        />
      </div>
      <p class="actions">
        {!isDuration && (
          <SmallButton onClick={() => sendOn('/ml/credit/migration', data)}>Project this matrix</SmallButton>
        )}{' '}
        {(isDuration || values.period === 1) && (
          <SmallButton onClick={() => sendOn('/ml/credit/migration-generator', data)}>
            Rates and default probabilities of it
          </SmallButton>
        )}
      </p>
    </>
  )
}

/** Opens the page of another operation with the counts and the names of their ratings. */
function sendOn(path: string, { exposures, ratings, transitions }: MlCreditRatingHistoryData): void {
  const text = [['from', ...ratings], ...transitions.map((row, from) => [ratings[from], ...row])]
    .map((cells) => cells.join(', '))
    .join('\n')
  const body = { transitions, ...(exposures && { exposures, method: 'duration' }) }
  handOver({ text }, addressOf(path, body))
}

/** The counts as a table. */
export const matrices = ({ ratings, transitions }: MlCreditRatingHistoryData) => [
  { title: labelOf('transitions'), rows: transitions, names: ratings },
]
