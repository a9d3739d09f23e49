/** Failed logins, codes and resets in the audit: counted per address, client address, endpoint, code and minute. */
import { sql as raw } from 'kysely'
import { first, rows, type Sql, type Transaction } from '../sql.ts'
import type { AuditLine, AuditRange } from './admin-audit.ts'
import { accountIdOf } from './registrations.ts'

export interface FailedAttempt {
  readonly address: string
  /** The address's keyed hash, so that the audit does not show addresses that have no account. */
  readonly subject: string
  readonly ip: string
  readonly path: string
  readonly code: string
}

const MINUTE_MS = 60_000

/** Counts a failed attempt; returns its account, if the address has one, and its count in this minute. */
export function* countFailedAttempt(
  sql: Sql,
  { address, code, ip, path, subject }: FailedAttempt,
): Transaction<{ accountId: number | null; count: number }> {
  const now = yield* sql.clock()
  const accountId = yield* accountIdOf(sql, address)
  const row = { subject, ip, path, code, minute: now - (now % MINUTE_MS), account_id: accountId, count: 1 }
  const counted = yield* first(
    sql.db
      .insertInto('failed_attempts')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['minute', 'subject', 'ip', 'path', 'code'])
          .doUpdateSet({ count: raw<number>`failed_attempts.count + 1` }),
      )
      .returning('count'),
  )
  return { accountId, count: counted!.count }
}

/** The columns that identify a line among those of one minute. */
export type FailedAttemptPlace = Pick<AuditLine, 'at' | 'ip' | 'path' | 'code' | 'detail'>

/** Counted failed attempts in order of time, after the given one; `detail` holds the address's keyed hash. */
export function* failedAttemptPage(
  { db }: Sql,
  range: AuditRange & { readonly after: FailedAttemptPlace | null },
): Transaction<AuditLine[]> {
  const { accountId, after, from, limit, to } = range
  let query = db
    .selectFrom('failed_attempts')
    .select(['minute as at', 'account_id as accountId', 'ip', 'path', 'code', 'count as calls', 'subject'])
    .where('minute', '>=', Math.max(from, after?.at ?? from))
    .where('minute', '<', to)
    .orderBy('minute')
    .orderBy('subject')
    .orderBy('ip')
    .orderBy('path')
    .orderBy('code')
    .limit(limit)
  if (accountId !== null) query = query.where('account_id', '=', accountId)
  if (after !== null) {
    const { subject } = JSON.parse(after.detail!)
    query = query.where(
      raw<boolean>`(minute, subject, ip, path, code) > (${after.at}, ${subject}, ${after.ip}, ${after.path}, ${after.code})`,
    )
  }
  const found = yield* rows(query)
  return found.map(({ subject, ...failed }) => ({
    ...noRequest,
    ...failed,
    detail: JSON.stringify({ subject }),
  }))
}

/** A line counts requests, so these columns have no value. */
const noRequest = {
  id: null,
  keyId: null,
  kind: 'failed_attempt',
  method: 'POST',
  status: null,
  credits: 0,
  requestId: null,
  durationMs: null,
  replayed: 0,
} as const
