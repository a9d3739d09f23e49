/**
 * The calls of the last 24 hours, from the audit. Each request reads spans of it, the newest first, for a limited time. The sums
 * of spans that are over stay in memory, so that a large audit is read once and no transaction reads much of it.
 */
import { sql as raw } from 'kysely'
import {
  ACTIVITY_BUDGET_MS,
  ACTIVITY_PIECE_MS,
  COUNTS_READ,
  SPENDERS_A_SPAN,
} from '../base/limits/operation.ts'
import { DAY_MS, MINUTE_MS } from '../base/time.ts'
import { COMPUTATION } from '../ledger/store/audit.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'

/** The sums of one span. */
interface Span {
  readonly from: number
  /** Of an empty span, the time of the newest row before it (0: the 24 hours have none); null: the span is not empty. */
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

/** The sums of ten minutes, for charts. */
export interface Piece {
  readonly from: number
  readonly requests: number
  readonly failures: number
  readonly calls: number
  readonly credits: number
  readonly p50: number | null
  readonly p99: number | null
}

export interface Activity {
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

export function openActivity(reads: Runner): () => Promise<Activity> {
  const spanMs = ACTIVITY_PIECE_MS
  const known = new Map<number, Span>()
  let underWay: Promise<Activity> | null = null
  // After an empty span, the span with the newest row before it is read.
  const lastRead = ({ before, from }: Span): number =>
    before === null ? from : before - (before % spanMs) + spanMs
  const read = async (): Promise<Activity> => {
    const now = await reads.run((sql) => sql.clock())
    const end = now - (now % ACTIVITY_PIECE_MS) + ACTIVITY_PIECE_MS
    const start = end - DAY_MS
    for (const from of known.keys()) if (from < start) known.delete(from)
    const deadline = performance.now() + ACTIVITY_BUDGET_MS
    const open: Span[] = []
    let isComplete = true
    for (let from = end - spanMs; from >= start; from -= spanMs) {
      const knownSpan = known.get(from)
      if (knownSpan !== undefined) from = lastRead(knownSpan)
      if (knownSpan !== undefined || from > now) continue
      if (performance.now() > deadline) {
        isComplete = false
        break
      }
      const span = await reads.run(spanOf, from, from + spanMs, start)
      if (from + spanMs + SETTLED_MS <= now) known.set(from, span)
      else open.push(span)
      from = lastRead(span)
      await new Promise((resume) => setImmediate(resume))
    }
    return activityOf([...known.values(), ...open], start, end, isComplete)
  }
  return () => {
    underWay ??= read().finally(() => {
      underWay = null
    })
    return underWay
  }
}

export function* spanOf({ db }: Sql, from: number, to: number, start: number): Transaction<Span> {
  const computations = db
    .selectFrom('audit')
    .where('at', '>=', from)
    .where('at', '<', to)
    .where('kind', '=', COMPUTATION)
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
    const earlier = db.selectFrom('audit').select('at').where('at', '>=', start).where('at', '<', from)
    const row = yield* first(earlier.where('kind', '=', COMPUTATION).orderBy('at', 'desc').limit(1))
    return { from, before: row?.at ?? 0, counts: [], spenders: [] }
  }
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
  code: count.code,
  durationMs: count.durationMs,
  requests: Number(count.requests),
  calls: Number(count.calls),
  credits: Number(count.credits),
})

function activityOf(spans: readonly Span[], start: number, end: number, isComplete: boolean): Activity {
  const byPiece = Map.groupBy(spans, ({ from }) => from - (from % ACTIVITY_PIECE_MS))
  const pieces: Piece[] = []
  for (let from = start; from < end; from += ACTIVITY_PIECE_MS)
    pieces.push({ from, ...sumOf((byPiece.get(from) ?? []).flatMap(({ counts }) => counts)) })
  const all = spans.flatMap(({ counts }) => counts)
  const failures = new Map<string, number>()
  for (const { code, requests } of all)
    if (code !== null) failures.set(code, (failures.get(code) ?? 0) + requests)
  const spent = new Map<number, number>()
  for (const { accountId, credits } of spans.flatMap(({ spenders }) => spenders))
    spent.set(accountId, (spent.get(accountId) ?? 0) + credits)
  return { isComplete, total: sumOf(all), failures, pieces, spent }
}

function sumOf(counts: readonly Count[]): Omit<Piece, 'from'> {
  const sorted = counts.toSorted((a, b) => a.durationMs - b.durationMs)
  let [requests, failures, calls, credits] = [0, 0, 0, 0]
  for (const count of sorted) {
    requests += count.requests
    calls += count.calls
    credits += count.credits
    if (count.code !== null) failures += count.requests
  }
  const quantile = (share: number): number | null => {
    let before = 0
    for (const { durationMs, requests: some } of sorted) {
      before += some
      if (before >= share * requests) return durationMs
    }
    return null
  }
  return { requests, failures, calls, credits, p50: quantile(0.5), p99: quantile(0.99) }
}

/** By code, the refusals of keys and the failed attempts of the last 24 hours, from the newest COUNTS_READ rows of each table. */
export function* refusedCounts(sql: Sql): Transaction<Map<string, number>> {
  const from = (yield* sql.clock()) - DAY_MS
  const found = new Map<string, number>()
  for (const table of ['refusals', 'failed_attempts'] as const) {
    const sums = sql.db
      .selectFrom(newestCounts(sql, table, from).as('newest'))
      .select(['code', raw<number>`cast(sum(count) as bigint)`.as('count')])
      .groupBy('code')
    for (const { code, count } of yield* rows(sums)) found.set(code, (found.get(code) ?? 0) + Number(count))
  }
  return found
}

/** For each account, the number of its calls of the last 24 hours that were refused for lack of credits. */
export function* withoutCredits(sql: Sql): Transaction<Map<number, number>> {
  const from = (yield* sql.clock()) - DAY_MS
  const sums = sql.db
    .selectFrom(newestCounts(sql, 'refusals', from).as('newest'))
    .select(['accountId', raw<number>`cast(sum(count) as bigint)`.as('count')])
    .where('code', '=', 'credits_exhausted')
    .groupBy('accountId')
  return new Map((yield* rows(sums)).map(({ accountId, count }) => [accountId!, Number(count)]))
}

const newestCounts = ({ db }: Sql, table: 'refusals' | 'failed_attempts', from: number) =>
  db
    .selectFrom(table)
    .select(['account_id as accountId', 'code', 'count'])
    .where('minute', '>=', from)
    .orderBy('minute', 'desc')
    .limit(COUNTS_READ)
