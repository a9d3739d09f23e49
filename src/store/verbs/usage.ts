/** Grants and computations of an account, including the guests it took over. */
import { sql as raw } from 'kysely'
import { timeOfId } from '../../ids.ts'
import { rows, type Sql, type Transaction } from '../sql.ts'
import { CLOCKS_MS } from './audit-parts.ts'
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

/** A place in the history. */
export interface UsagePlace {
  readonly at: number
  readonly id: string
}

export interface UsageFilter {
  readonly path?: string
  /** An HTTP status, or all but 200. */
  readonly status?: number | 'failure'
  /** Epoch milliseconds, the first included, the last not. */
  readonly range?: { readonly from: number; readonly to: number }
  readonly requestId?: string
}

export interface UsageQuery {
  readonly accountId: number
  readonly limit: number
  readonly before: UsagePlace | null
  readonly filter: UsageFilter
}

export interface UsagePage {
  readonly items: UsageItem[]
  /** Where the next page begins; null: there is none. */
  readonly next: UsagePlace | null
}

/**
 * Rows of one account that a page reads at most. Path and status have no index, which every call would have to write; a page
 * that has read so many rows ends there, with fewer items than its limit, and the next page goes on.
 */
const MOST_READ = 4_000

/**
 * Computations, newest first, older than `before`, and the place after which the next page begins; null: there is none.
 * Reads account by account, each by its index: an account has taken over one guest at most.
 */
export function* usage(sql: Sql, page: UsageQuery): Transaction<UsagePage> {
  const { filter, limit } = page
  const found: UsageItem[] = []
  let end: UsagePlace | null = null
  for (const accountId of yield* withGuests(sql, page.accountId))
    for (const all of computationsOf(sql, accountId, page))
      for (const { isMatch, place, ...item } of yield* rows(matching(sql, all, filter, limit))) {
        if (isMatch) found.push(item)
        if (place === MOST_READ && (end === null || isNewer(item, end))) end = { at: item.at, id: item.id }
      }
  // All accounts are read down to this place; older rows of one of them are left to the next page.
  const read = found
    .filter((item) => end === null || !isNewer(end, item))
    .sort((a, b) => (isNewer(a, b) ? -1 : 1))
  const items = read.slice(0, limit)
  return { items, next: read.length > limit ? items.at(-1)! : end }
}

const isNewer = (one: UsagePlace, other: UsagePlace): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id)

export function* withGuests({ db }: Sql, accountId: number): Transaction<number[]> {
  const guests = yield* rows(db.selectFrom('accounts').select('id').where('linked_to', '=', accountId))
  return [accountId, ...guests.map((guest) => guest.id)]
}

/** In the order of the history, by the index of the account's rows in time; those of a request by two others. */
function computationsOf(
  sql: Sql,
  accountId: number,
  { before, filter }: Pick<UsageQuery, 'before' | 'filter'>,
) {
  const { range, requestId } = filter
  const all = sql.db
    .selectFrom('audit')
    .where('kind', '=', COMPUTATION)
    .$if(range !== undefined, (some) => some.where('at', '>=', range!.from).where('at', '<', range!.to))
    .$if(before !== null, (some) =>
      some
        .where('at', '<=', before!.at)
        .where((where) => where.or([where('at', '<', before!.at), where('id', '<', before!.id)])),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
  const own = all.where('account_id', '=', accountId)
  if (requestId === undefined) return [own]
  const given = own.where('request_id', '=', requestId).whereRef('request_id', '<>', 'id')
  // A sharded database must see the account. Elsewhere the sign keeps its index from being used instead of that of ids.
  const any = sql.sharding === null ? all.where(raw<boolean>`+account_id = ${accountId}`) : own
  const made = any.where('id', '=', requestId).whereRef('request_id', '=', 'id')
  // A UUID of version 7 tells when the service made it.
  const at = timeOfId(requestId)
  if (at === null) return [made, given]
  const [from, to] = [at - CLOCKS_MS, at + CLOCKS_MS]
  if (range !== undefined && (to < range.from || from >= range.to)) return [given]
  return [made.where('at', '>=', from).where('at', '<=', to), given]
}

type Computations = ReturnType<typeof computationsOf>[number]

/** In one pass over the newest MOST_READ rows: those that match, and the last row read. More than `limit`, if there are. */
const matching = ({ db, dialect }: Sql, all: Computations, { path, status }: UsageFilter, limit: number) =>
  db
    .selectFrom(
      all
        .select(['id', 'at', 'path', 'status', 'credits', 'ip'])
        .select(['duration_ms as durationMs', 'request_id as requestId'])
        .select(raw<number>`row_number() OVER (ORDER BY at DESC, id DESC)`.as('place'))
        .select((row) =>
          row
            .and([
              ...(path === undefined ? [] : [row('path', '=', path)]),
              ...(status === 'failure' ? [row('status', '<>', 200)] : []),
              ...(typeof status === 'number' ? [row('status', '=', status)] : []),
            ])
            .as('isMatch'),
        )
        .limit(MOST_READ)
        .as('newest'),
    )
    .selectAll()
    .where((row) => row.or([row.ref('isMatch'), row('place', '=', MOST_READ)]))
    // SQLite keeps the order of a subquery, but would sort its rows once more.
    .$if(dialect !== 'sqlite', (ordered) => ordered.orderBy('at', 'desc').orderBy('id', 'desc'))
    .limit(limit + 2)
