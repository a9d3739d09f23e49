/**
 * The cost of the calls of a month, by account, key and operation. It is computed from the sums by day, which usage summaries
 * store, and from refunds.
 */
import type { History } from '../accounts/history.ts'
import { type ReadSums, usageOfDays } from '../accounts/usage-sums.ts'
import { csvRow } from '../base/csv.ts'
import { auditIsGone, monthUnknown } from '../base/errors/operator.ts'
import { DAY_MS } from '../base/time.ts'
import { COMPUTATION } from '../ledger/store/audit.ts'
import { rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import type { Runner } from '../ledger/store/store.ts'
import { auditSpan, isCutBefore } from './usage-days.ts'

/** The calls of a key to an operation. Failed calls are counted, and cost nothing. */
export interface CostRow {
  readonly account_id: number
  readonly email: string | null
  /** The id of a team key; null: the account's own key. */
  readonly key_id: number | null
  readonly key_name: string | null
  /** The path of the operation; null: refunds of calls whose rows were deleted after their retention. */
  readonly path: string | null
  readonly calls: number
  readonly credits: number
  /** Credits that were refunded in the month. */
  readonly refunded: number
}

export type Month = Readonly<ReturnType<typeof monthOf>>

/** @param name in the form YYYY-MM. Throws Failure `invalid_input` */
export function monthOf(name: string) {
  const [, year = '', month = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(name) ?? []
  if (year === '') throw monthUnknown()
  return {
    name,
    from: Date.UTC(Number(year), Number(month) - 1, 1),
    to: Date.UTC(Number(year), Number(month), 1),
  }
}

/** Throws Failure `conflict` where a part of the month's audit was deleted. */
export async function checkMonth(
  reads: Runner,
  { from }: Month,
  retentionDays: number | null,
): Promise<void> {
  const span = await reads.run(auditSpan)
  const isKept = retentionDays === null || from >= span.now - retentionDays * DAY_MS
  if (!isKept || isCutBefore(span, from)) throw auditIsGone()
}

/** Runs the reads of costs, and stores the sums of days that are over. */
interface CostReads extends Runner {
  readonly keepSums: History['keepSums']
}

/**
 * A page of registered accounts (guests pay nothing) with calls or refunds in the month, and the account after which the next
 * page begins; null: this is the last page.
 * @param limit the most accounts that are examined
 */
export async function costPage(
  reads: CostReads,
  month: Month,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  const { active, last } = await reads.run(activeAccounts, { ...month, after, limit })
  const items: CostRow[] = []
  for (const accountId of active) items.push(...(await costsOf(reads, month, accountId)))
  return { items, next: last }
}

/** The costs of an account. */
export async function costsOf(reads: CostReads, month: Month, accountId: number): Promise<CostRow[]> {
  const { items, overdue } = await reads.run(readCosts, { ...month, accountId })
  await reads.keepSums(overdue)
  return items
}

export function* activeAccounts(
  { db }: Sql,
  { after, from, limit, to }: Month & { readonly after: number; readonly limit: number },
): Transaction<{ active: number[]; last: number | null }> {
  const page = yield* rows(
    db
      .selectFrom('accounts')
      .select('id')
      .where('id', '>', after)
      .where('tier', '<>', 'guest')
      .orderBy('id')
      .limit(limit),
  )
  const ids = page.map(({ id }) => id)
  if (ids.length === 0) return { active: [], last: null }
  const called = yield* rows(
    db
      .selectFrom('audit')
      .select('account_id')
      .distinct()
      .where('account_id', 'in', ids)
      .where('kind', '=', COMPUTATION)
      .where('at', '>=', from)
      .where('at', '<', to),
  )
  const refunded = yield* rows(
    db
      .selectFrom('ledger')
      .select('account_id')
      .distinct()
      .where('account_id', 'in', ids)
      .where('kind', '=', 'refund')
      .where('at', '>=', from)
      .where('at', '<', to),
  )
  const found = new Set([...called, ...refunded].map((row) => row.account_id))
  return { active: ids.filter((id) => found.has(id)), last: ids.length < limit ? null : ids.at(-1)! }
}

export function* readCosts(
  sql: Sql,
  { accountId, from, to }: Month & { readonly accountId: number },
): Transaction<{ readonly items: CostRow[]; readonly overdue: ReadSums['overdue'] }> {
  const [fromDay, untilDay] = [from / DAY_MS, to / DAY_MS]
  const { overdue, sums } = yield* usageOfDays(sql, { accountId, fromDay, untilDay })
  const byName = new Map<string, { path: string | null; teamKeyId: number; counts: Counts }>()
  const countsOf = (path: string | null, teamKeyId: number): Counts => {
    const name = `${teamKeyId} ${path}`
    const found = byName.get(name) ?? { path, teamKeyId, counts: { calls: 0, credits: 0, refunded: 0 } }
    byName.set(name, found)
    return found.counts
  }
  for (const { calls, credits, path, teamKeyId } of sums) {
    const counts = countsOf(path, teamKeyId)
    counts.calls += calls
    counts.credits += credits
  }
  for (const { amount, parts, path, teamKeyId } of yield* refundsOf(sql, accountId, from, to))
    for (const part of partsOf(path, amount, parts)) countsOf(part.path, teamKeyId).refunded += part.credits
  const account = yield* rows(sql.db.selectFrom('accounts').select('email').where('id', '=', accountId))
  const keys = yield* rows(
    sql.db.selectFrom('team_keys').select(['id', 'name']).where('account_id', '=', accountId),
  )
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const items = [...byName.values()]
    .sort((a, b) => a.teamKeyId - b.teamKeyId || ((a.path ?? '') < (b.path ?? '') ? -1 : 1))
    .map(({ counts, path, teamKeyId }) => ({
      account_id: accountId,
      email: account[0]?.email ?? null,
      key_id: teamKeyId || null,
      key_name: names.get(teamKeyId) ?? null,
      path,
      ...counts,
    }))
  return { items, overdue }
}

interface Counts {
  calls: number
  credits: number
  refunded: number
}

function* refundsOf({ db }: Sql, accountId: number, from: number, to: number) {
  const found = yield* rows(
    db
      .selectFrom('ledger as l')
      .leftJoin('audit as a', (join) =>
        join.onRef('a.id', '=', 'l.audit_id').onRef('a.account_id', '=', 'l.account_id'),
      )
      .select(['l.amount', 'l.team_key_id', 'a.path', 'a.detail as parts'])
      .where('l.account_id', '=', accountId)
      .where('l.kind', '=', 'refund')
      .where('l.at', '>=', from)
      .where('l.at', '<', to),
  )
  return found.map(({ team_key_id: teamKeyId, ...row }) => ({ ...row, teamKeyId: teamKeyId ?? 0 }))
}

/** The refunds of a batch by the operations of its calls. */
const partsOf = (
  path: string | null,
  credits: number,
  parts: string | null,
): readonly { path: string | null; credits: number }[] =>
  parts === null ? [{ path, credits }] : (JSON.parse(parts) as { path: string; credits: number }[])

export const totalsOf = (items: readonly CostRow[]) => ({
  calls: sumOf(items, 'calls'),
  credits: sumOf(items, 'credits'),
  refunded: sumOf(items, 'refunded'),
})

const sumOf = (items: readonly CostRow[], name: 'calls' | 'credits' | 'refunded') =>
  items.reduce((sum, item) => sum + item[name], 0)

const COLUMNS = ['account_id', 'email', 'key_id', 'key_name', 'path', 'calls', 'credits', 'refunded'] as const

export const costHeading = csvRow(['month', ...COLUMNS])

export const costLine = ({ name }: Month, row: CostRow): string =>
  csvRow([name, ...COLUMNS.map((column) => row[column])])
