/**
 * The requests and calls of a range of time, from the audit. Each request for them reads spans of it, the newest first, for a limited
 * time. The sums of spans that are over stay in memory, so that a large audit is read once and no transaction reads much of it.
 */
import { sql as raw } from 'kysely'
import {
  ACTIVITY_ACCOUNTS,
  ACTIVITY_BUDGET_MS,
  ACTIVITY_SPANS,
  COUNTS_READ,
  SPENDERS_A_SPAN,
} from '../base/limits/operation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time.ts'
import { COMPUTATION } from '../ledger/store/audit.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'

/** The sums of one span. */
interface Span {
  readonly from: number
  /** Of an empty span, the time of the newest row before it, or that from which on there is none; null: the span is not empty. */
  readonly before: number | null
  readonly counts: readonly Count[]
  readonly spenders: readonly { readonly accountId: number; readonly credits: number }[]
}

/** The number of rows with one outcome and duration. */
interface Count {
  readonly code: string | null
  readonly durationMs: number
  readonly requests: number
  readonly calls: number
  readonly credits: number
}

/** The sums of a bar in the charts. */
export interface Piece {
  readonly from: number
  readonly requests: number
  readonly failures: number
  readonly calls: number
  readonly credits: number
  readonly p50: number | null
  readonly p99: number | null
}

/** Epoch milliseconds; `from` is included, `to` is not. */
interface ActivityRange {
  readonly from: number
  readonly to: number
}

/** Null: of all accounts. */
type RangeOf = ActivityRange & Pick<AskedRange, 'accountId'>

export interface Activity extends ActivityRange {
  readonly pieceMs: number
  /** Whether every span was read; otherwise the next request reads more. */
  readonly isComplete: boolean
  readonly total: Omit<Piece, 'from'>
  /** The number of failures by code. */
  readonly failures: ReadonlyMap<string, number>
  readonly pieces: readonly Piece[]
  /** The credits that were spent, by account. */
  readonly spent: ReadonlyMap<number, number>
}

/** The time after which all rows of a span have been written. */
const SETTLED_MS = MINUTE_MS

/** For ranges up to a length: the length of the spans that are read, and that of a bar. */
const STEPS = [
  { most: 2 * HOUR_MS, spanMs: MINUTE_MS, pieceMs: MINUTE_MS },
  { most: 2 * DAY_MS, spanMs: 10 * MINUTE_MS, pieceMs: 10 * MINUTE_MS },
  { most: 10 * DAY_MS, spanMs: HOUR_MS, pieceMs: HOUR_MS },
  { most: 45 * DAY_MS, spanMs: HOUR_MS, pieceMs: 6 * HOUR_MS },
  { most: Number.POSITIVE_INFINITY, spanMs: HOUR_MS, pieceMs: DAY_MS },
]

const startOf = (at: number, ms: number): number => at - (at % ms)

/** Reads a range of whole bars: so many hours, up to the bar of a time; null: of now. */
export type ReadActivity = (range: AskedRange) => Promise<Activity>

interface AskedRange {
  readonly hours: number
  readonly end: number | null
  /** Null: of all accounts. */
  readonly accountId: number | null
}

export function openActivity(reads: Runner): ReadActivity {
  const ofAll = openSums(reads, null)
  const ofAccounts = new Map<number, ReturnType<typeof openSums>>()
  return ({ accountId, ...range }) => {
    if (accountId === null) return ofAll(range)
    const sums = ofAccounts.get(accountId) ?? openSums(reads, accountId)
    ofAccounts.delete(accountId)
    keep(ofAccounts, accountId, sums, ACTIVITY_ACCOUNTS)
    return sums(range)
  }
}

type Length = Omit<AskedRange, 'accountId'>

function openSums(reads: Runner, accountId: number | null): (range: Length) => Promise<Activity> {
  /** By the length of the spans and their beginning. */
  const known = new Map<number, Map<number, Span>>()
  const underWay = new Map<string, Promise<Activity>>()
  const read = async (asked: Length): Promise<Activity> => {
    const now = await reads.run((sql) => sql.clock())
    const length = asked.hours * HOUR_MS
    const { pieceMs, spanMs } = STEPS.find(({ most }) => length <= most)!
    const end = startOf(Math.min(asked.end ?? now, now) + pieceMs - 1, pieceMs)
    // Pieces of six hours and of a day begin at those of UTC.
    const start = startOf(end - length, pieceMs)
    const spans = known.get(spanMs) ?? new Map<number, Span>()
    known.set(spanMs, spans)
    // After an empty span, the span with the newest row before it is read.
    const lastRead = ({ before, from }: Span): number =>
      before === null ? from : startOf(before, spanMs) + spanMs
    const deadline = performance.now() + ACTIVITY_BUDGET_MS
    const found: Span[] = []
    let isComplete = true
    for (let from = end - spanMs; from >= start; from -= spanMs) {
      if (from > now) continue
      const knownSpan = spans.get(from)
      if (knownSpan === undefined && performance.now() > deadline) {
        isComplete = false
        break
      }
      const span = knownSpan ?? (await reads.run(spanOf, { accountId, from, to: from + spanMs }))
      if (knownSpan === undefined && from + spanMs + SETTLED_MS <= now)
        keep(spans, from, span, spanMs < HOUR_MS ? ACTIVITY_SPANS.short : ACTIVITY_SPANS.hours)
      found.push(span)
      from = lastRead(span)
      if (knownSpan === undefined) await new Promise((resume) => setImmediate(resume))
    }
    return activityOf(found, { from: start, to: end, pieceMs, isComplete })
  }
  return (range) => {
    const name = `${range.hours} ${range.end}`
    const present = underWay.get(name)
    if (present !== undefined) return present
    const begun = read(range).finally(() => underWay.delete(name))
    underWay.set(name, begun)
    return begun
  }
}

/** Keeps sums in place of those that were kept longest ago. */
function keep<Sums>(known: Map<number, Sums>, key: number, sums: Sums, most: number): void {
  known.set(key, sums)
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
}

/** The time before an empty span in which the newest row is searched, so that the partitions of few days are read. */
const LOOK_BACK_MS = DAY_MS

export function* spanOf({ db }: Sql, { accountId, from, to }: RangeOf): Transaction<Span> {
  const all = db
    .selectFrom('audit')
    .where('kind', '=', COMPUTATION)
    .$if(accountId !== null, (own) => own.where('account_id', '=', accountId))
  const computations = all.where('at', '>=', from).where('at', '<', to)
  const counts = yield* rows(
    computations
      .select([
        'code',
        'duration_ms as durationMs',
        raw<number>`cast(count(*) as bigint)`.as('requests'),
        raw<number>`cast(sum(calls) as bigint)`.as('calls'),
        raw<number>`cast(sum(credits) as bigint)`.as('credits'),
      ])
      .groupBy(['code', 'duration_ms']),
  )
  if (counts.length === 0) {
    const earlier = all.where('at', '>=', from - LOOK_BACK_MS).where('at', '<', from)
    const row = yield* first(earlier.select('at').orderBy('at', 'desc').limit(1))
    return { from, before: row?.at ?? from - LOOK_BACK_MS, counts: [], spenders: [] }
  }
  // Who spends is asked only of the last 24 hours, whose spans are shorter.
  if (accountId !== null || to - from >= HOUR_MS)
    return { from, before: null, spenders: [], counts: counts.map(counted) }
  const spenders = yield* rows(
    computations
      .select('account_id as accountId')
      .select(raw<number>`cast(sum(credits) as bigint)`.as('credits'))
      .where('credits', '>', 0)
      .groupBy('account_id')
      .orderBy('credits', 'desc')
      .limit(SPENDERS_A_SPAN),
  )
  const charged = spenders.flatMap(({ accountId, credits }) =>
    accountId === null ? [] : [{ accountId, credits: Number(credits) }],
  )
  return { from, before: null, spenders: charged, counts: counts.map(counted) }
}

const counted = (count: Count): Count => ({
  ...count,
  requests: Number(count.requests),
  calls: Number(count.calls),
  credits: Number(count.credits),
})

function activityOf(
  spans: readonly Span[],
  range: Pick<Activity, 'from' | 'to' | 'pieceMs' | 'isComplete'>,
): Activity {
  const byPiece = Map.groupBy(spans, ({ from }) => startOf(from, range.pieceMs))
  const pieces: Piece[] = []
  for (let { from } = range; from < range.to; from += range.pieceMs)
    pieces.push({ from, ...sumOf(byPiece.get(from) ?? []) })
  const failures = new Map<string, number>()
  for (const { code, requests } of spans.flatMap(({ counts }) => counts))
    if (code !== null) failures.set(code, (failures.get(code) ?? 0) + requests)
  const spent = new Map<number, number>()
  for (const { accountId, credits } of spans.flatMap(({ spenders }) => spenders))
    spent.set(accountId, (spent.get(accountId) ?? 0) + credits)
  return { ...range, total: sumOf(spans), failures, pieces, spent }
}

function sumOf(spans: readonly Span[]): Omit<Piece, 'from'> {
  const durations = new Map<number, number>()
  let [requests, failures, calls, credits] = [0, 0, 0, 0]
  for (const { counts } of spans)
    for (const count of counts) {
      requests += count.requests
      calls += count.calls
      credits += count.credits
      if (count.code !== null) failures += count.requests
      durations.set(count.durationMs, (durations.get(count.durationMs) ?? 0) + count.requests)
    }
  const sorted = [...durations].sort(([a], [b]) => a - b)
  const quantile = (share: number): number | null => {
    let before = 0
    for (const [durationMs, some] of sorted) {
      before += some
      if (before >= share * requests) return durationMs
    }
    return null
  }
  return { requests, failures, calls, credits, p50: quantile(0.5), p99: quantile(0.99) }
}

/** By code, the refusals of keys and the failed attempts in a range, from the newest COUNTS_READ rows of each table. */
export function* refusedCounts(sql: Sql, range: RangeOf): Transaction<Map<string, number>> {
  const found = new Map<string, number>()
  for (const table of ['refusals', 'failed_attempts'] as const) {
    const sums = sql.db
      .selectFrom(newestCounts(sql, table, range).as('newest'))
      .select(['code', raw<number>`cast(sum(count) as bigint)`.as('count')])
      .groupBy('code')
    for (const { code, count } of yield* rows(sums)) found.set(code, (found.get(code) ?? 0) + Number(count))
  }
  return found
}

/** For each account, the number of its calls of the last 24 hours that were refused for lack of credits. */
export function* withoutCredits(sql: Sql): Transaction<Map<number, number>> {
  const to = yield* sql.clock()
  const sums = sql.db
    .selectFrom(
      newestCounts(sql, 'refusals', {
        accountId: null,
        from: to - DAY_MS,
        to: Number.MAX_SAFE_INTEGER,
      }).as('newest'),
    )
    .select(['accountId', raw<number>`cast(sum(count) as bigint)`.as('count')])
    .where('code', '=', 'credits_exhausted')
    .groupBy('accountId')
  return new Map((yield* rows(sums)).map(({ accountId, count }) => [accountId!, Number(count)]))
}

const newestCounts = ({ db }: Sql, table: 'refusals' | 'failed_attempts', { accountId, from, to }: RangeOf) =>
  db
    .selectFrom(table)
    .select(['account_id as accountId', 'code', 'count'])
    .where('minute', '>=', from)
    .where('minute', '<', to)
    .$if(accountId !== null, (own) => own.where('account_id', '=', accountId))
    .orderBy('minute', 'desc')
    .limit(COUNTS_READ)
