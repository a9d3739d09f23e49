/** The limits of an account and their use at the moment. */
import { isRunning, limitsOf, type Tiers, windowMs } from '../ledger/rules/tiers.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'

interface WindowUse {
  readonly name: 'hour' | 'day'
  readonly limit: number
  readonly used: number
  /** When the window ends; null: no window is running. */
  readonly resetsAt: number | null
}

export function* windowUse(sql: Sql, accountId: number, tiers: Tiers): Transaction<WindowUse[]> {
  const now = yield* sql.clock()
  const row = yield* first(
    sql.db
      .selectFrom('accounts')
      .select([
        'tier',
        'hour_limit as hourLimit',
        'day_limit as dayLimit',
        'hour_started_at',
        'hour_count',
        'day_started_at',
        'day_count',
      ])
      .where('id', '=', accountId),
  )
  if (row === undefined) return []
  const limits = limitsOf(row, tiers)
  const use = (name: 'hour' | 'day', startedAt: number, count: number): WindowUse[] => {
    const limit = limits[name]
    if (limit === null) return []
    return isRunning({ startedAt, count }, name, now)
      ? [{ name, limit, used: count, resetsAt: startedAt + windowMs[name] }]
      : [{ name, limit, used: 0, resetsAt: null }]
  }
  return [
    ...use('hour', row.hour_started_at, row.hour_count),
    ...use('day', row.day_started_at, row.day_count),
  ]
}
