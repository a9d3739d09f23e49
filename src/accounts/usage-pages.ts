/** Pages of the computations of an account, including the guests it took over. */
import { type InferResult, sql as raw } from 'kysely'
import { timeOfId } from '../base/ids.ts'
import { USAGE_ROWS } from '../base/limits/callers.ts'
import { CLOCK_DIFFERENCE_MS } from '../base/limits/operation.ts'
import { DAY_MS } from '../base/time.ts'
import { auditParts, COMPUTATION, startOfDay } from '../ledger/store/audit.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner, Store } from '../ledger/store/store.ts'

/** `teamKey`: the lineage of a team key, with its name; null: the account's own key. */
type UsageItem = Omit<FoundItem, 'keyId'> & { readonly teamKey: { id: number; name: string } | null }

/** A place in the history. */
export interface UsagePlace {
  readonly at: number
  readonly id: string
}

export interface UsageFilter {
  readonly path?: string
  /** An HTTP status; `failure`: all but 200. */
  readonly status?: number | 'failure'
  /** Epoch milliseconds; `from` is included, `to` is not. */
  readonly range?: { readonly from: number; readonly to: number }
  readonly requestId?: string
  /** Only calls of this lineage. */
  readonly teamKeyId?: number
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

/** Runs the reads of a page. */
export type DaysReader = Pick<Store, 'isByDay' | 'run'>

/** Computations, newest first. */
export const usagePage = (reads: DaysReader, query: UsageQuery): Promise<UsagePage> =>
  reads.isByDay ? usageByDays(reads, query) : reads.run(usage, query)

/**
 * Computations, newest first, older than `before`, and the place after which the next page begins; null: there is none.
 * Reads account by account, each by its index: an account has taken over one guest at most.
 */
export function* usage(sql: Sql, page: UsageQuery): Transaction<UsagePage> {
  const { filter, limit } = page
  const found: FoundItem[] = []
  const keyIds = filter.teamKeyId === undefined ? null : yield* keysOf(sql, page.accountId, filter.teamKeyId)
  let end: UsagePlace | null = null
  for (const accountId of yield* withGuests(sql, page.accountId))
    for (const all of computationsOf(sql, accountId, page))
      for (const { isMatch, place, ...item } of yield* rows(
        matching(sql, all, { ...filter, keyIds }, limit),
      )) {
        if (isMatch) found.push(item)
        if (place === USAGE_ROWS && (end === null || isNewer(item, end))) end = { at: item.at, id: item.id }
      }
  // All accounts are read down to this place; older rows of one of them are left to the next page.
  const read = found
    .filter((item) => end === null || !isNewer(end, item))
    .sort((a, b) => (isNewer(a, b) ? -1 : 1))
  const items = yield* withNames(sql, page.accountId, read.slice(0, limit))
  return { items, next: read.length > limit ? items.at(-1)! : end }
}

type FoundItem = Omit<InferResult<ReturnType<typeof matching>>[number], 'isMatch' | 'place'>

function* keysOf({ db }: Sql, accountId: number, teamKeyId: number): Transaction<number[]> {
  const of = db.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
  return (yield* rows(of.where('team_key_id', '=', teamKeyId))).map(({ id }) => id)
}

/** The items with the lineages of their keys. */
function* withNames(sql: Sql, accountId: number, items: readonly FoundItem[]): Transaction<UsageItem[]> {
  const ids = [...new Set(items.flatMap(({ keyId }) => keyId ?? []))]
  const keys =
    ids.length === 0
      ? []
      : yield* rows(
          sql.db
            .selectFrom('api_keys as k')
            .innerJoin('team_keys as t', 't.id', 'k.team_key_id')
            .select(['k.id as keyId', 't.id', 't.name'])
            .where('k.id', 'in', ids)
            .where('k.account_id', '=', accountId)
            .where('t.account_id', '=', accountId),
        )
  const byKey = new Map(keys.map(({ id, keyId, name }) => [keyId, { id, name }]))
  return items.map(({ keyId, ...item }) => ({ ...item, teamKey: byKey.get(keyId ?? 0) ?? null }))
}

const isNewer = (one: UsagePlace, other: UsagePlace): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id)

export function* withGuests({ db }: Sql, accountId: number): Transaction<number[]> {
  const guests = yield* rows(db.selectFrom('accounts').select('id').where('linked_to', '=', accountId))
  return [accountId, ...guests.map((guest) => guest.id)]
}

/** The computations in the order of the history, by the index of account and time; those of a request by two other indexes. */
function computationsOf(
  sql: Sql,
  accountId: number,
  { before, filter }: Pick<UsageQuery, 'before' | 'filter'>,
) {
  const { range, requestId } = filter
  const all = sql.db
    .selectFrom('audit')
    .where('account_id', '=', accountId)
    .$if(range !== undefined, (some) => some.where('at', '>=', range!.from).where('at', '<', range!.to))
    .$if(before !== null, (some) =>
      some
        .where('at', '<=', before!.at)
        .where((where) => where.or([where('at', '<', before!.at), where('id', '<', before!.id)])),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
  const own = all.where('kind', '=', COMPUTATION)
  if (requestId === undefined) return [own]
  const given = own.where('request_id', '=', requestId).whereRef('request_id', '<>', 'id')
  // Written unlike the condition of the account indexes, which would be used instead of the primary key.
  const any = all.where(raw<boolean>`kind || '' = ${COMPUTATION}`)
  const made = any.where('id', '=', requestId).whereRef('request_id', '=', 'id')
  // A UUID of version 7 tells when the service made it.
  const at = timeOfId(requestId)
  if (at === null) return [made, given]
  const [from, to] = [at - CLOCK_DIFFERENCE_MS, at + CLOCK_DIFFERENCE_MS]
  if (range !== undefined && (to < range.from || from >= range.to)) return [given]
  return [made.where('at', '>=', from).where('at', '<=', to), given]
}

type UsageRows = ReturnType<typeof computationsOf>[number]

/** Reads up to USAGE_ROWS rows in one pass: returns those that match, one more than `limit` if there are, and the last row read. */
const matching = (
  { db, dialect }: Sql,
  all: UsageRows,
  { keyIds, path, status }: UsageFilter & { readonly keyIds: readonly number[] | null },
  limit: number,
) =>
  db
    .selectFrom(
      all
        .select([
          'id',
          'at',
          'path',
          'status',
          'credits',
          'ip',
          'duration_ms as durationMs',
          'request_id as requestId',
          'key_id as keyId',
        ])
        .select(raw<number>`row_number() OVER (ORDER BY at DESC, id DESC)`.as('place'))
        .select((row) =>
          row
            .and([
              ...(path === undefined ? [] : [row('path', '=', path)]),
              ...(keyIds === null ? [] : [row('key_id', 'in', keyIds.length === 0 ? [0] : keyIds)]),
              ...(status === 'failure' ? [row('status', '<>', 200)] : []),
              ...(typeof status === 'number' ? [row('status', '=', status)] : []),
            ])
            .as('isMatch'),
        )
        .limit(USAGE_ROWS)
        .as('newest'),
    )
    .selectAll()
    .where((row) => row.or([row.ref('isMatch'), row('place', '=', USAGE_ROWS)]))
    // SQLite keeps the order of a subquery, but would sort its rows once more.
    .$if(dialect !== 'sqlite', (ordered) => ordered.orderBy('at', 'desc').orderBy('id', 'desc'))
    .limit(limit + 2)

/** The most days that a transaction reads: it locks their tables and indexes, and the number of locks is limited. */
const MOST_DAYS = 32
/** The days before the present one that are read first, because most pages concern them. */
const FIRST_DAYS = 2

/**
 * A request id of the service (UUID version 7) contains its time. If no row is found since then, a caller has made the id, and
 * all days are read.
 */
async function usageByDays(runner: Runner, query: UsageQuery): Promise<UsagePage> {
  const { requestId } = query.filter
  const made = requestId === undefined ? null : timeOfId(requestId)
  const page = await usageSince(runner, query, (made ?? 0) - CLOCK_DIFFERENCE_MS)
  const isFound = page.items.length > 0 || page.next !== null
  return made === null || isFound ? page : await usageSince(runner, query, 0)
}

/** Reads the newest days first, then four times as many, until the page is full. */
async function usageSince({ run }: Runner, query: UsageQuery, since: number): Promise<UsagePage> {
  const { before, filter, limit } = query
  const range = {
    from: Math.max(filter.range?.from ?? 0, since),
    to: Math.min(
      filter.range?.to ?? Number.MAX_SAFE_INTEGER,
      before === null ? Number.MAX_SAFE_INTEGER : before.at + 1,
    ),
  }
  const items: UsageItem[] = []
  let first: number | null = null
  let to = range.to
  for (let days = FIRST_DAYS; ; days = Math.min(4 * days, MOST_DAYS)) {
    let from = Math.max(
      range.from,
      startOfDay(Math.min(to - 1, before?.at ?? to, Date.now())) - days * DAY_MS,
    )
    if (days > FIRST_DAYS) first ??= await run(firstDay)
    if (first !== null && from <= first) from = range.from
    const span = { ...filter, range: { from, to } }
    // A full page has a next one if there is one older row.
    const page = await run(usage, { ...query, limit: Math.max(1, limit - items.length), filter: span })
    if (items.length === limit) {
      if (page.items.length > 0) return { items, next: items.at(-1)! }
    } else items.push(...page.items)
    if (page.next !== null || from <= range.from) return { items, next: page.next }
    to = from
  }
}

/** The first day with a partition of its own; older rows share one. */
export function* firstDay(sql: Sql): Transaction<number> {
  const [oldest] = yield* auditParts(sql)
  if (oldest === undefined) return Number.MAX_SAFE_INTEGER
  return Number.isFinite(oldest.from) ? oldest.from : oldest.to
}
