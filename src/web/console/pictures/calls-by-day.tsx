/** The calls of an account by day. */
import { DAY_MS } from '../../../base/time.ts'
import { whole } from '../numbers.ts'
import { Chart } from './chart.tsx'
import { bars } from './layers.ts'
import { from0 } from './sampling.ts'

const LEAST_DAYS = 14

/** The number of the day of a time, counted from 1970. */
export const dayOf = (text: string): number => Math.floor(Date.parse(text) / DAY_MS)

const dateOf = (day: number) => new Date(day * DAY_MS)

/** The text of a day on an axis; empty between days. */
export const dayText = (day: number): string =>
  Number.isInteger(day) ? dateOf(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' }) : ''

interface CallsOfDay {
  readonly day: string
  readonly calls: number
}

/** The first and last day of the axis, at least two weeks. The last is today, or later if this computer's clock is behind. */
export function spanOf(days: readonly CallsOfDay[]): [first: number, last: number] {
  const today = Math.max(dayOf(new Date().toISOString()), ...days.map(({ day }) => dayOf(day)))
  return [Math.min(today - LEAST_DAYS + 1, ...days.map(({ day }) => dayOf(day))), today]
}

interface CallsByDayProps {
  /** The days with calls. */
  readonly days: readonly CallsOfDay[]
}

export function CallsByDay({ days }: CallsByDayProps) {
  const [first, last] = spanOf(days)
  const counts = Array.from({ length: last - first + 1 }, () => 0)
  for (const { day, calls } of days) counts[dayOf(day) - first] = calls
  const edges = Array.from({ length: counts.length + 1 }, (_, i) => first + i - 0.5)
  return (
    <Chart
      title="Calls per day"
      counts="y"
      summary={`Calls per day, at most ${whole(Math.max(...counts))}.`}
      xLabel="Day"
      yLabel="Calls"
      xText={dayText}
      range={{ x: [first - 0.5, last + 0.5], y: from0(counts) }}
      layers={[bars(edges, counts)]}
      numbers={() => [
        ['Day', 'Calls'],
        ...counts.map((count, i) => [
          dateOf(first + i)
            .toISOString()
            .slice(0, 10),
          count,
        ]),
      ]}
    />
  )
}
