/** Pages of the audit, each of which begins after the last row of the previous one; and the columns of a printed line. */

import { sql as raw } from 'kysely'
import { isoTime } from '../../base/time.ts'
import { auditParts, COMPUTATION, edgeRow, NO_ACCOUNT, piecesOf } from './audit.ts'
import { first, rows, type Sql, type Transaction } from './sql.ts'
import type { Runner } from './store.ts'

/**
 * One line of the exported audit. Refusals have one line per key, client address, code and minute, whose `calls` is their
 * number; failed attempts have such lines, too.
 */
export interface AuditLine {
  readonly at: number
  readonly id: string | null
  readonly accountId: number | null
  readonly keyId: number | null
  readonly kind: 'computation' | 'account' | 'event' | 'refusal' | 'failed_attempt'
  readonly method: string | null
  readonly path: string | null
  readonly status: number | null
  readonly code: string | null
  readonly credits: number
  readonly calls: number
  readonly ip: string
  readonly requestId: string | null
  readonly durationMs: number | null
  readonly replayed: number
  readonly detail: string | null
}

export interface AuditRange {
  /** Epoch milliseconds; `from` is included, `to` is not. */
  readonly from: number
  readonly to: number
  /** Null: rows of all accounts. */
  readonly accountId: number | null
  /** Null: rows of all requests. */
  readonly requestId: string | null
  /** `events`: without calls, of one account; `acts`: acts of operators alone. Absent: calls and events. */
  readonly only?: 'events' | 'acts'
  /** Rows before `after`, the newest first, instead of those that follow it. */
  readonly newestFirst?: boolean
}

/** Methods of acts of operators: on the command line, and over HTTP. Literals for the reason given at COMPUTATION. */
export const ACT_METHODS = raw<'CLI' | 'OPERATOR'>`('CLI', 'OPERATOR')`

const PAGE = 1_000

/**
 * Calls and events, counted refusals and counted failed attempts together, in order of time; they are read page by page, with
 * one page of each in memory.
 */
export async function* auditLines(reads: Runner, range: AuditRange): AsyncGenerator<AuditLine> {
  // A count covers many requests, so it has no request id.
  const counts = range.requestId === null ? [refusalPage, failedAttemptPage] : []
  const open = []
  for (const verb of [auditPage, ...counts]) {
    const lines = pages((after) => reads.run(verb, { ...range, limit: PAGE, after }))
    open.push({ lines, next: await lines.next() })
  }
  for (;;) {
    const [earliest] = open
      .filter(({ next }) => !next.done)
      .sort((a, b) => a.next.value!.at - b.next.value!.at)
    if (earliest === undefined) return
    yield earliest.next.value!
    earliest.next = await earliest.lines.next()
  }
}

async function* pages(
  read: (after: AuditLine | null) => Promise<readonly AuditLine[]>,
): AsyncGenerator<AuditLine, undefined> {
  for (let after: AuditLine | null = null; ; ) {
    const page: readonly AuditLine[] = await read(after)
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)!
  }
}

/** The time of the newest row; 0 if there is none. */
export function* newestAudit(sql: Sql): Transaction<number> {
  const { db } = sql
  const newest = yield* edgeRow(sql, 'desc')
  const refusal = yield* first(db.selectFrom('refusals').select('minute').orderBy('minute', 'desc').limit(1))
  const failed = yield* first(
    db.selectFrom('failed_attempts').select('minute').orderBy('minute', 'desc').limit(1),
  )
  return Math.max(newest ?? 0, refusal?.minute ?? 0, failed?.minute ?? 0)
}

type Page<Place> = AuditRange & { readonly limit: number; readonly after: Place | null }
type AuditPage = Page<Pick<AuditLine, 'at' | 'id'>>

/** Audit rows in order of time, after the row `after`. */
export function* auditPage(sql: Sql, page: AuditPage): Transaction<AuditLine[]> {
  const { limit, newestFirst = false } = page
  const found: AuditLine[] = []
  const pieces = piecesOf(yield* auditParts(sql), spanOf(page))
  for (const piece of newestFirst ? pieces.reverse() : pieces) {
    found.push(...(yield* linesOf(sql, { ...page, ...piece, limit: limit - found.length })))
    if (found.length >= limit) break
  }
  return found
}

/** The part of the range that follows the row `after`. */
const spanOf = ({ after, from, newestFirst = false, to }: Page<{ readonly at: number }>) =>
  after === null
    ? { from, to }
    : newestFirst
      ? { from, to: Math.min(to, after.at + 1) }
      : { from: Math.max(from, after.at), to }

const directionOf = ({ newestFirst = false }: AuditRange) =>
  newestFirst
    ? ({ order: 'desc', beyond: '<', sign: raw.raw('<') } as const)
    : ({ order: 'asc', beyond: '>', sign: raw.raw('>') } as const)

/** Rows of the audit as lines. */
export const auditRows = ({ db }: Sql) =>
  db
    .selectFrom('audit')
    .select(['at', 'id', 'key_id as keyId', 'kind', 'method', 'path'])
    .select(raw<number | null>`nullif(account_id, ${raw.lit(NO_ACCOUNT)})`.as('accountId'))
    .select([
      'status',
      'code',
      'credits',
      'calls',
      'ip',
      'request_id as requestId',
      'duration_ms as durationMs',
      'replayed',
      'detail',
    ])

function* linesOf(sql: Sql, range: AuditPage): Transaction<AuditLine[]> {
  const { accountId, after, from, limit, only, requestId, to } = range
  const { beyond, order } = directionOf(range)
  const page = auditRows(sql)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at', order)
    .orderBy('id', order)
    .limit(limit)
    .$if(only === 'acts', (query) => query.where('method', 'in', ACT_METHODS))
    .$if(requestId !== null, (query) => query.where('request_id', '=', requestId))
    .$if(after !== null, (query) =>
      query.where((where) => where.or([where('at', beyond, after!.at), where('id', beyond, after!.id!)])),
    )
  if (accountId === null) return yield* rows(page)
  // One query for each of the account's two indexes.
  const ofAccount = page.where('account_id', '=', accountId)
  const found = [
    ...(only !== undefined ? [] : yield* rows(ofAccount.where('kind', '=', COMPUTATION))),
    ...(yield* rows(ofAccount.where('kind', '<>', COMPUTATION))),
  ]
  found.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  return (order === 'desc' ? found.reverse() : found).slice(0, limit)
}

/** The columns by which counts are ordered, as an index has them. */
const PLACES = {
  refusals: ['minute', 'key_id', 'ip', 'code'],
  failed_attempts: ['minute', 'subject', 'ip', 'path', 'code'],
}

/** Counts in order of time, after a place. */
function countsIn(
  { db }: Sql,
  table: keyof typeof PLACES,
  range: Page<{ readonly at: number }>,
  place: readonly unknown[] | null,
) {
  const { accountId, limit } = range
  const { from, to } = spanOf(range)
  const { order, sign } = directionOf(range)
  const columns = PLACES[table].map((column) => raw.ref(column))
  return db
    .selectFrom(table as 'refusals')
    .select(['minute as at', 'account_id as accountId', 'code', 'count as calls', 'ip'])
    .where('minute', '>=', from)
    .where('minute', '<', to)
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId))
    .$if(place !== null, (query) =>
      query.where(raw<boolean>`(${raw.join(columns)}) ${sign} (${raw.join([...place!])})`),
    )
    .orderBy(raw`${raw.join(columns.map((column) => raw`${column} ${raw.raw(order)}`))}`)
    .limit(limit)
}

/** Counted refusals in order of time, after the line `after`. */
export function* refusalPage(
  sql: Sql,
  range: Page<Pick<AuditLine, 'at' | 'keyId' | 'ip' | 'code'>>,
): Transaction<AuditLine[]> {
  const { after } = range
  const place = after && [after.at, after.keyId, after.ip, after.code]
  const found = yield* rows(countsIn(sql, 'refusals', range, place).select('key_id as keyId'))
  return found.map((refusal) => ({
    ...noRequest,
    kind: 'refusal',
    method: null,
    path: null,
    detail: null,
    ...refusal,
  }))
}

/** A line counts requests, so these columns have no value. */
const noRequest = {
  id: null,
  status: null,
  credits: 0,
  requestId: null,
  durationMs: null,
  replayed: 0,
} as const

/** Counted failed attempts in order of time, after the line `after`; `detail` holds the address's keyed hash. */
export function* failedAttemptPage(
  sql: Sql,
  range: Page<Pick<AuditLine, 'at' | 'ip' | 'path' | 'code' | 'detail'>>,
): Transaction<AuditLine[]> {
  const { after } = range
  const place = after && [after.at, JSON.parse(after.detail!).subject, after.ip, after.path, after.code]
  const counts = countsIn(sql, 'failed_attempts', range, place)
  const found = yield* rows(
    counts.select([raw.ref<string>('path').as('path'), raw.ref<string>('subject').as('subject')]),
  )
  return found.map(({ subject, ...failed }) => ({
    ...noRequest,
    kind: 'failed_attempt',
    method: 'POST',
    keyId: null,
    ...failed,
    detail: JSON.stringify({ subject }),
  }))
}

/** The contents of the columns by their names, in order. */
const VALUES = {
  at: (line: AuditLine) => isoTime(line.at),
  id: (line: AuditLine) => line.id,
  account_id: (line: AuditLine) => line.accountId,
  key_id: (line: AuditLine) => line.keyId,
  kind: (line: AuditLine) => line.kind,
  method: (line: AuditLine) => line.method,
  path: (line: AuditLine) => line.path,
  status: (line: AuditLine) => line.status,
  code: (line: AuditLine) => line.code,
  credits: (line: AuditLine) => line.credits,
  calls: (line: AuditLine) => line.calls,
  ip: (line: AuditLine) => line.ip,
  request_id: (line: AuditLine) => line.requestId,
  duration_ms: (line: AuditLine) => line.durationMs,
  replayed: (line: AuditLine) => line.replayed === 1,
  detail: (line: AuditLine) => line.detail,
}
type Values = typeof VALUES

/** Of a batch, its calls by path; of other rows, facts that depend on their kind. */
type AuditDetail = { path: string; calls: number }[] | Record<string, unknown>

/** A row in JSON. */
type AuditRow = { [Name in Exclude<keyof Values, 'detail'>]: ReturnType<Values[Name]> } & {
  detail: AuditDetail | null
}

/** Names and contents of the columns, in order. */
export const AUDIT_COLUMNS = Object.entries(VALUES)

export const auditJson = (line: AuditLine): AuditRow => ({
  ...(Object.fromEntries(AUDIT_COLUMNS.map(([name, value]) => [name, value(line)])) as AuditRow),
  detail: line.detail === null ? null : JSON.parse(line.detail),
})
