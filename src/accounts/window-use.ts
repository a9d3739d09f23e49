/** The limits of an account and their use at the moment. */
import type { Plan } from '../ledger/rules/plan.ts'
import { isRunning, limitsOf, type WindowName, windowMs, workLimitOf } from '../ledger/rules/tiers.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'

type UsedWindow = Extract<WindowName, 'hour' | 'day' | 'work'>

/** `work` counts processor seconds, the others requests. */
interface WindowUse {
  readonly name: UsedWindow
  readonly limit: number
  readonly used: number
  /** When the window ends; null: no window is running. */
  readonly resetsAt: number | null
}

export function* windowUse(
  sql: Sql,
  accountId: number,
  plan: Pick<Plan, 'tiers' | 'work'>,
): Transaction<WindowUse[]> {
  const now = yield* sql.clock()
  const row = yield* first(
    sql.db
      .selectFrom('accounts')
      .select([
        'tier',
        'hour_limit as hourLimit',
        'day_limit as dayLimit',
        'work_limit as workLimit',
        'hour_started_at',
        'hour_count',
        'day_started_at',
        'day_count',
        'work_started_at',
        'work_micros',
      ])
      .where('id', '=', accountId),
  )
  if (row === undefined) return []
  const limits = { ...limitsOf(row, plan.tiers), work: workLimitOf(row, plan.work) }
  const use = (name: UsedWindow, startedAt: number, count: number): WindowUse[] => {
    const limit = limits[name]
    if (limit === null) return []
    return isRunning({ startedAt, count }, name, now)
      ? [{ name, limit, used: count, resetsAt: startedAt + windowMs[name] }]
      : [{ name, limit, used: 0, resetsAt: null }]
  }
  return [
    ...use('hour', row.hour_started_at, row.hour_count),
    ...use('day', row.day_started_at, row.day_count),
    ...use('work', row.work_started_at, Math.ceil(row.work_micros / 1e6)),
  ]
}
