/** Pages of the audit; each begins after the last row of the previous one. */
import { sql as raw } from 'kysely'
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import { ALL_TIMES, auditParts, piecesOf } from './audit-parts.ts'
import { COMPUTATION } from './events.ts'

/** One line of the exported audit; a refusal is one per key, IP, code and minute, with its count as `calls`, a failed attempt likewise. */
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
  /** Epoch milliseconds, the first included, the last not. */
  readonly from: number
  readonly to: number
  /** Null: all. */
  readonly accountId: number | null
  /** Null: all; otherwise only rows of this request. */
  readonly requestId: string | null
  readonly limit: number
}

/** The time of the newest row of the audit's table; null if there is none. */
export function* newestRow(sql: Sql): Transaction<number | null> {
  for (const { from, to } of piecesOf(yield* auditParts(sql), ALL_TIMES).reverse()) {
    const rowsOf = sql.db.selectFrom('audit').select('at').where('at', '>=', from).where('at', '<', to)
    const row = yield* first(rowsOf.orderBy('at', 'desc').limit(1))
    if (row !== undefined) return row.at
  }
  return null
}

/** The time of the newest row; 0 if there is none. */
export function* newestAudit(sql: Sql): Transaction<number> {
  const { db } = sql
  const newest = yield* newestRow(sql)
  const refusal = yield* first(db.selectFrom('refusals').select('minute').orderBy('minute', 'desc').limit(1))
  const failed = yield* first(
    db.selectFrom('failed_attempts').select('minute').orderBy('minute', 'desc').limit(1),
  )
  return Math.max(newest ?? 0, refusal?.minute ?? 0, failed?.minute ?? 0)
}

/** An act of an operator; `detail` is JSON and names the operator. */
export type OperatorAct = Pick<AuditLine, 'at' | 'accountId' | 'requestId'> & {
  readonly id: string
  readonly act: string
  readonly detail: string | null
}

/** A literal, as for COMPUTATION. */
const COMMAND_LINE = raw.lit('CLI' as const)

/** The acts of operators within the last `windowMs` by the database's clock, the oldest first. */
export function* operatorActs(sql: Sql, windowMs: number): Transaction<OperatorAct[]> {
  const now = yield* sql.clock()
  const acts = yield* rows(
    sql.db
      .selectFrom('audit')
      .select(['id', 'at', 'account_id as accountId', 'code as act', 'request_id as requestId', 'detail'])
      .where('method', '=', COMMAND_LINE)
      .where('at', '>=', now - windowMs)
      .orderBy('at'),
  )
  return acts.map((one) => ({ ...one, act: one.act ?? '' }))
}

type AuditPage = AuditRange & { readonly after: Pick<AuditLine, 'at' | 'id'> | null }

/** Audit rows in order of time, after the given one. */
export function* auditPage(sql: Sql, page: AuditPage): Transaction<AuditLine[]> {
  const { after, from, limit, to } = page
  const found: AuditLine[] = []
  for (const piece of piecesOf(yield* auditParts(sql), { from: Math.max(from, after?.at ?? from), to })) {
    found.push(...(yield* linesOf(sql, { ...page, ...piece, limit: limit - found.length })))
    if (found.length >= limit) break
  }
  return found
}

function* linesOf(
  { db }: Sql,
  { accountId, after, from, limit, requestId, to }: AuditPage,
): Transaction<AuditLine[]> {
  const page = db
    .selectFrom('audit')
    .select(['at', 'id', 'account_id as accountId', 'key_id as keyId', 'kind', 'method', 'path'])
    .select(['status', 'code', 'credits', 'calls', 'ip', 'request_id as requestId'])
    .select(['duration_ms as durationMs', 'replayed', 'detail'])
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
    .$if(requestId !== null, (one) => one.where('request_id', '=', requestId))
    .$if(after !== null, (one) =>
      one.where((where) => where.or([where('at', '>', after!.at), where('id', '>', after!.id!)])),
    )
  if (accountId === null) return yield* rows(page)
  // Each of the account's two indexes in turn.
  const own = page.where('account_id', '=', accountId)
  const found = [
    ...(yield* rows(own.where('kind', '=', COMPUTATION))),
    ...(yield* rows(own.where('kind', '<>', COMPUTATION))),
  ]
  return found.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).slice(0, limit)
}

/** Counted refusals in order of time, after the given one. */
export function* refusalPage(
  { db }: Sql,
  range: AuditRange & { readonly after: Pick<AuditLine, 'at' | 'keyId' | 'ip' | 'code'> | null },
): Transaction<AuditLine[]> {
  const { accountId, after, from, limit, to } = range
  let query = db
    .selectFrom('refusals')
    .select(['minute as at', 'account_id as accountId', 'key_id as keyId', 'code', 'count as calls', 'ip'])
    .where('minute', '>=', Math.max(from, after?.at ?? from))
    .where('minute', '<', to)
    .orderBy('minute')
    .orderBy('key_id')
    .orderBy('ip')
    .orderBy('code')
    .limit(limit)
  if (accountId !== null) query = query.where('account_id', '=', accountId)
  if (after !== null)
    query = query.where(
      raw<boolean>`(minute, key_id, ip, code) > (${after.at}, ${after.keyId}, ${after.ip}, ${after.code})`,
    )
  const found = yield* rows(query)
  return found.map((refusal) => ({ ...noCall, ...refusal }))
}

/** A refusal counts calls that were never admitted, so these columns have no value. */
const noCall = {
  id: null,
  kind: 'refusal',
  method: null,
  path: null,
  status: null,
  credits: 0,
  requestId: null,
  durationMs: null,
  replayed: 0,
  detail: null,
} as const
