/**
 * The usage of a day for a data warehouse: the calls of the day and the refunds made on it, ordered by time. Once the day can be
 * exported, no row is changed or added. Rows have no personal data, so the erasure of an account changes no file either.
 */
import { sql as raw } from 'kysely'
import { SETTLED_MS } from '../accounts/usage-sums.ts'
import { auditIsGone, dayIsOpen } from '../base/errors/operator.ts'
import { DAY_MS, isoTime, MINUTE_MS } from '../base/time.ts'
import { COMPUTATION, edgeRow } from '../ledger/store/audit.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'

/** A call, or the refund of one. */
export interface UsageRow {
  readonly at: number
  readonly kind: 'call' | 'refund'
  /** The id of the call. */
  readonly id: string
  readonly account_id: number
  readonly key_id: number | null
  readonly team_key_id: number | null
  readonly path: string | null
  readonly status: number | null
  readonly calls: number
  readonly credits: number
  readonly replayed: number | null
  readonly duration_ms: number | null
  readonly parts: string | null
}

/** The sums of the rows of a day. `verify-ledger` subtracts the same charges less refunds from the grants of each account. */
export interface UsageTotals {
  readonly rows: number
  readonly calls: number
  /** Charges less refunds. */
  readonly credits: number
  readonly refunds: number
}

type UsagePlace = Pick<UsageRow, 'at' | 'id'>

const PAGE = 5_000

/**
 * Checks that a day can be exported.
 * @param day its first millisecond
 * @param retentionDays the retention of the audit; null: for ever. Throws Failure.
 */
export async function checkUsageDay(reads: Runner, day: number, retentionDays: number | null): Promise<void> {
  const { begins, firstAccountAt, now } = await reads.run(auditSpan)
  if (day + DAY_MS + SETTLED_MS > now) throw dayIsOpen()
  const isKept = retentionDays === null || day >= now - retentionDays * DAY_MS
  const isCut = isCutBefore({ begins, firstAccountAt }, day)
  if (!isKept || begins === null || begins >= day + DAY_MS || isCut) throw auditIsGone()
}

/** Whether rows at or after `from` were deleted: if the first account is older than the oldest row, earlier rows are gone. */
export const isCutBefore = (
  { begins, firstAccountAt }: { readonly begins: number | null; readonly firstAccountAt: number | null },
  from: number,
): boolean =>
  begins !== null && begins >= from && firstAccountAt !== null && firstAccountAt < begins - MINUTE_MS

/** The rows of a day in the order of time and id. */
export async function* usageRows(reads: Runner, day: number): AsyncGenerator<UsageRow> {
  for (let after: UsagePlace | null = null; ; ) {
    const page: readonly UsageRow[] = await reads.run(usageDayPage, { day, after, limit: PAGE })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)!
  }
}

export function* auditSpan(
  sql: Sql,
): Transaction<{ begins: number | null; firstAccountAt: number | null; now: number }> {
  const accounts = sql.db
    .selectFrom('accounts')
    .select('created_at')
    .where('id', '>', 0)
    .orderBy('id')
    .limit(1)
  return {
    begins: yield* edgeRow(sql, 'asc'),
    firstAccountAt: (yield* first(accounts))?.created_at ?? null,
    now: yield* sql.clock(),
  }
}

export function* usageDayPage(
  { db }: Sql,
  { after, day, limit }: { readonly day: number; readonly after: UsagePlace | null; readonly limit: number },
): Transaction<UsageRow[]> {
  const from = after?.at ?? day
  const id = after?.id ?? ''
  const range = (at: string, key: string) =>
    raw`${raw.ref(at)} >= ${from} AND ${raw.ref(at)} < ${day + DAY_MS} AND (${raw.ref(at)} > ${from} OR ${raw.ref(key)} > ${id})`
  const query = raw<UsageRow>`SELECT * FROM (
      SELECT a.at, 'call' AS kind, a.id, a.account_id, a.key_id, k.team_key_id, a.path, a.status, a.calls, a.credits, a.replayed,
        a.duration_ms, a.detail AS parts
      FROM audit a LEFT JOIN api_keys k ON k.id = a.key_id AND k.account_id = a.account_id
      WHERE a.kind = ${COMPUTATION} AND ${range('a.at', 'a.id')} ORDER BY a.at, a.id LIMIT ${raw.lit(limit)}) AS called
    UNION ALL SELECT * FROM (
      SELECT l.at, 'refund' AS kind, l.audit_id AS id, l.account_id, CAST(NULL AS bigint) AS key_id, l.team_key_id, NULL AS path, CAST(NULL AS bigint) AS status,
        0 AS calls, -l.amount AS credits, CAST(NULL AS bigint) AS replayed, CAST(NULL AS bigint) AS duration_ms, NULL AS parts
      FROM ${refunds} AND ${range('l.at', 'l.audit_id')} ORDER BY l.at, l.audit_id LIMIT ${raw.lit(limit)}) AS refunded
    ORDER BY at, id LIMIT ${raw.lit(limit)}`
  return (yield query.compile(db)) as unknown as UsageRow[]
}

/** Refunds of registered accounts; the movements of guests are deleted with them. */
const refunds = raw`ledger l JOIN accounts o ON o.id = l.account_id WHERE o.tier <> 'guest' AND l.kind = 'refund'`

export function* usageTotals({ db }: Sql, day: number): Transaction<UsageTotals> {
  const to = day + DAY_MS
  const sum = (column: string) => raw<number>`cast(coalesce(sum(${raw.ref(column)}), 0) as bigint)`
  const called = yield* first(
    db
      .selectFrom('audit')
      .select(({ fn }) => [
        fn.countAll<number>().as('rows'),
        sum('calls').as('calls'),
        sum('credits').as('credits'),
      ])
      .where('kind', '=', COMPUTATION)
      .where('at', '>=', day)
      .where('at', '<', to),
  )
  const query = raw<{
    count: number
    credits: number
  }>`SELECT cast(count(*) as bigint) AS count, ${sum('l.amount')} AS credits
    FROM ${refunds} AND l.at >= ${day} AND l.at < ${to}`
  const [refunded] = (yield query.compile(db)) as unknown as { count: number; credits: number }[]
  return {
    rows: Number(called!.rows) + refunded!.count,
    calls: called!.calls,
    credits: called!.credits - refunded!.credits,
    refunds: refunded!.count,
  }
}

type Type = 'TIMESTAMP' | 'STRING' | 'INT64' | 'BOOLEAN'

/** The columns of a file, in order, as docs/how-to/export-usage.md describes them. */
export const USAGE_COLUMNS: readonly {
  readonly name: keyof UsageRow
  readonly type: Type
  readonly nullable: boolean
}[] = [
  { name: 'at', type: 'TIMESTAMP', nullable: false },
  { name: 'kind', type: 'STRING', nullable: false },
  { name: 'id', type: 'STRING', nullable: false },
  { name: 'account_id', type: 'INT64', nullable: false },
  { name: 'key_id', type: 'INT64', nullable: true },
  { name: 'team_key_id', type: 'INT64', nullable: true },
  { name: 'path', type: 'STRING', nullable: true },
  { name: 'status', type: 'INT64', nullable: true },
  { name: 'calls', type: 'INT64', nullable: false },
  { name: 'credits', type: 'INT64', nullable: false },
  { name: 'replayed', type: 'BOOLEAN', nullable: true },
  { name: 'duration_ms', type: 'INT64', nullable: true },
  { name: 'parts', type: 'STRING', nullable: true },
]

/** A row as the HTTP interface and a CSV file print it. */
export const usageJson = (row: UsageRow) => ({
  ...row,
  at: isoTime(row.at),
  replayed: row.replayed === null ? null : row.replayed === 1,
})
