/** The audit page by page, each after the last row of the one before. */
import { sql as raw } from 'kysely'
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { AuditLine, AuditRange } from '../store.ts'

export function* newestAudit({ db }: Sql): Transaction<number> {
  const row = yield* first(db.selectFrom('audit').select('at').orderBy('at', 'desc').limit(1))
  const refusal = yield* first(db.selectFrom('refusals').select('minute').orderBy('minute', 'desc').limit(1))
  return Math.max(row?.at ?? 0, refusal?.minute ?? 0)
}

export function* auditPage(
  { db }: Sql,
  range: AuditRange & { after: Pick<AuditLine, 'at' | 'id'> | null },
): Transaction<AuditLine[]> {
  const { accountId, after, from, limit, to } = range
  let query = db
    .selectFrom('audit')
    .select(['at', 'id', 'account_id as accountId', 'key_id as keyId', 'kind', 'method', 'path'])
    .select(['status', 'code', 'credits', 'calls', 'ip', 'request_id as requestId'])
    .select(['duration_ms as durationMs', 'replayed', 'detail'])
    .where('at', '>=', Math.max(from, after?.at ?? from))
    .where('at', '<', to)
    .orderBy('at')
    .orderBy('id')
    .limit(limit)
  if (accountId !== null) query = query.where('account_id', '=', accountId)
  if (after !== null)
    query = query.where((where) => where.or([where('at', '>', after.at), where('id', '>', after.id!)]))
  return yield* rows(query)
}

export function* refusalPage(
  { db }: Sql,
  range: AuditRange & { after: Pick<AuditLine, 'at' | 'keyId' | 'ip' | 'code'> | null },
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

/** A counted refusal stands for calls that were never admitted. */
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
