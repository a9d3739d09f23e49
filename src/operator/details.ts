/** An account in detail: the use of its limits now, its grants, and its team keys. */
import { sql as raw } from 'kysely'
import { limitsOf, type Tiers, windowMs } from '../ledger/tiers.ts'
import { GRANTS_SHOWN } from '../limits/operation.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import type { AccountView } from './views.ts'

export interface WindowUse {
  readonly name: 'hour' | 'day'
  readonly limit: number
  readonly used: number
  /** When it is over; null: none runs. */
  readonly resetsAt: number | null
}

export function* windowUse(
  sql: Sql,
  account: Pick<AccountView, 'accountId' | 'tier' | 'hourLimit' | 'dayLimit'>,
  tiers: Tiers,
): Transaction<WindowUse[]> {
  const now = yield* sql.clock()
  const row = yield* first(
    sql.db
      .selectFrom('accounts')
      .select(['hour_started_at', 'hour_count', 'day_started_at', 'day_count'])
      .where('id', '=', account.accountId),
  )
  if (row === undefined) return []
  const limits = limitsOf(account, tiers)
  const use = (name: 'hour' | 'day', startedAt: number, used: number): WindowUse[] => {
    const limit = limits[name]
    if (limit === null) return []
    const resetsAt = startedAt + windowMs[name]
    return [resetsAt > now ? { name, limit, used, resetsAt } : { name, limit, used: 0, resetsAt: null }]
  }
  return [
    ...use('hour', row.hour_started_at, row.hour_count),
    ...use('day', row.day_started_at, row.day_count),
  ]
}

export interface GivenGrant {
  readonly at: number
  readonly kind: string
  readonly credits: number
  readonly note: string | null
  readonly reference: string | null
  /** Credits that were taken back; null: it cannot be reversed. */
  readonly reversed: number | null
}

/** Movements of credits but charges and refunds, the newest first. */
export function* movements({ db }: Sql, accountId: number): Transaction<GivenGrant[]> {
  return yield* rows(
    db
      .selectFrom('ledger as l')
      .leftJoin('ledger_references as r', (join) =>
        join
          .onRef('r.reference', '=', 'l.reference')
          .onRef('r.account_id', '=', 'l.account_id')
          .on('r.grant_reference', 'is', null),
      )
      .select(['l.at', 'l.kind', 'l.amount as credits', 'l.note', 'l.reference'])
      .select(raw<number | null>`case when l.kind = 'grant' then r.reversed end`.as('reversed'))
      .where('l.account_id', '=', accountId)
      .where('l.kind', 'in', ['grant', 'transfer_in', 'transfer_out', 'reversal', 'expired'])
      .orderBy('l.id', 'desc')
      .limit(GRANTS_SHOWN),
  )
}
