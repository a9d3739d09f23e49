/** Grants and computations of an account, including the guests it took over. */
import { rows, type Sql, type Transaction } from '../sql.ts'
import { COMPUTATION } from './events.ts'

export interface UsageItem {
  readonly id: string
  readonly at: number
  readonly path: string
  readonly status: number
  readonly credits: number
  readonly ip: string
  readonly durationMs: number
  readonly requestId: string
}

/** The credits that an account was given, oldest first: grants and transfers; transfers away are negative. */
export function* grants(
  { db }: Sql,
  accountId: number,
): Transaction<{ at: number; credits: number; reason: string }[]> {
  const given = yield* rows(
    db
      .selectFrom('ledger')
      .select(['at', 'kind', 'amount', 'note'])
      .where('account_id', '=', accountId)
      .where('kind', 'in', ['grant', 'transfer_in', 'transfer_out'])
      .orderBy('id'),
  )
  return given.map(({ amount, at, kind, note }) => ({
    at,
    credits: amount,
    reason: kind === 'grant' ? (note ?? kind) : kind,
  }))
}

/**
 * Computations, newest first, older than `before`. Reads account by account, each by its index: an account has taken
 * over one guest at most.
 */
export function* usage(
  sql: Sql,
  page: {
    readonly accountId: number
    readonly limit: number
    readonly before: { readonly at: number; readonly id: string } | null
  },
): Transaction<UsageItem[]> {
  const items: UsageItem[] = []
  for (const accountId of yield* withGuests(sql, page.accountId))
    items.push(...(yield* rows(pageOf(sql, accountId, page))))
  return items.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, page.limit)
}

export function* withGuests({ db }: Sql, accountId: number): Transaction<number[]> {
  const guests = yield* rows(db.selectFrom('accounts').select('id').where('linked_to', '=', accountId))
  return [accountId, ...guests.map((guest) => guest.id)]
}

function pageOf(
  { db }: Sql,
  accountId: number,
  { before, limit }: { limit: number; before: { at: number; id: string } | null },
) {
  const newest = db
    .selectFrom('audit')
    .select(['id', 'at', 'path', 'status', 'credits', 'ip'])
    .select(['duration_ms as durationMs', 'request_id as requestId'])
    .where('account_id', '=', accountId)
    .where('kind', '=', COMPUTATION)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before === null) return newest
  return newest
    .where('at', '<=', before.at)
    .where((where) => where.or([where('at', '<', before.at), where('id', '<', before.id)]))
}
