/**
 * The statement of an account for a month: its credits at the start, each movement, its usage by key and operation with the
 * amounts, and the credits that are left. Amounts are computed in millionths of the currency, without rounding.
 */
import { type OverdueSums, usageOfDays } from '../accounts/usage-sums.ts'
import { csvRow } from '../base/csv.ts'
import { DAY_MS, dayName, isoTime } from '../base/time.ts'
import { type Price, priceOf } from '../ledger/rules/plan.ts'
import { COMPUTATION } from '../ledger/store/audit.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { type CostRow, type Month, readCosts, totalsOf } from './costs.ts'
import { MILLIONTHS, moneyText } from './prices.ts'

interface Period {
  readonly from: number
  readonly to: number
  /** Null: credits have no price on these days. */
  readonly price: Price | null
}

interface Movement {
  readonly at: number
  readonly kind: string
  readonly credits: number
  readonly reference: string | null
  readonly note: string | null
}

export interface Statement {
  readonly month: Month
  readonly accountId: number
  readonly email: string | null
  readonly opening: number
  readonly closing: number
  readonly movements: readonly Movement[]
  readonly usage: readonly (CostRow & Period)[]
  /** Requests in the month that failed, which cost nothing. */
  readonly failed: number
}

/** To be read in one snapshot. `overdue`: the sums of days that are over, to be stored. */
export function* readStatement(
  sql: Sql,
  { accountId, month }: { readonly accountId: number; readonly month: Month },
): Transaction<{ readonly statement: Statement; readonly overdue: readonly OverdueSums[] }> {
  const { from, to } = month
  const usage: (CostRow & Period)[] = []
  let overdue: readonly OverdueSums[] = []
  for (const period of yield* periodsOf(sql, month)) {
    const costs = yield* readCosts(sql, { ...period, name: month.name, accountId })
    usage.push(...costs.items.map((item) => ({ ...item, ...period })))
    overdue = costs.overdue
  }
  const later = yield* usageOfDays(sql, {
    accountId,
    fromDay: to / DAY_MS,
    untilDay: Number.MAX_SAFE_INTEGER,
  })
  const account = (yield* first(
    sql.db.selectFrom('accounts').select(['balance', 'debt', 'email']).where('id', '=', accountId),
  ))!
  const moved = yield* movementsSince(sql, accountId, from)
  const inMonth = moved.filter(({ at }) => at < to)
  const sumOf = (some: readonly { readonly credits: number }[]) =>
    some.reduce((sum, { credits }) => sum + credits, 0)
  const closing =
    account.balance - account.debt - sumOf(moved.filter(({ at }) => at >= to)) + sumOf(later.sums)
  return {
    overdue,
    statement: {
      month,
      accountId,
      email: account.email,
      opening: closing - sumOf(inMonth) + sumOf(usage),
      closing,
      movements: inMonth.filter(({ kind }) => kind !== 'refund'),
      usage,
      failed: yield* failedRequests(sql, accountId, month),
    },
  }
}

/** The month in parts of one price each. A price holds from the midnight (UTC) after it was set. */
function* periodsOf({ db }: Sql, { from, to }: Month): Transaction<Period[]> {
  const versions = yield* rows(db.selectFrom('plans').select(['at', 'items']).orderBy('version'))
  const priceAt = (midnight: number) =>
    priceOf(JSON.parse(versions.findLast(({ at }) => at <= midnight)?.items ?? '{}'))
  const periods: Period[] = []
  for (let day = from; day < to; day += DAY_MS) {
    const price = priceAt(day)
    const last = periods.at(-1)
    if (last !== undefined && JSON.stringify(last.price) === JSON.stringify(price))
      periods[periods.length - 1] = { ...last, to: day + DAY_MS }
    else periods.push({ from: day, to: day + DAY_MS, price })
  }
  return periods
}

/** Debits of days that were removed from the audit are left out: they are no movements of the day on which they were removed. */
function* movementsSince({ db }: Sql, accountId: number, from: number): Transaction<Movement[]> {
  const found = yield* rows(
    db
      .selectFrom('ledger')
      .select(['at', 'kind', 'amount', 'reference', 'note'])
      .where('account_id', '=', accountId)
      .where('at', '>=', from)
      .where('kind', '<>', 'archived_debits')
      .orderBy('at')
      .orderBy('id'),
  )
  return found.map(({ amount, ...row }) => ({ ...row, credits: amount }))
}

function* failedRequests({ db }: Sql, accountId: number, { from, to }: Month): Transaction<number> {
  const failed = db
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('kind', '=', COMPUTATION)
    .where('at', '>=', from)
    .where('at', '<', to)
    .where('status', '<>', 200)
  return Number((yield* first(failed))!.count)
}

/** The statement with the names and the amounts of the HTTP interface. */
export function statementJson({ accountId, month, movements, usage, ...statement }: Statement) {
  const { closing, email, failed, opening } = statement
  const owed = new Map<string, bigint>()
  const items = usage.map((row) => {
    const { calls, credits, from, key_id, key_name, path, price, refunded, to } = row
    const amount = price === null ? null : BigInt(credits - refunded) * BigInt(price.amount)
    if (price !== null) owed.set(price.currency, (owed.get(price.currency) ?? 0n) + amount!)
    return {
      from: dayName(from),
      until: dayName(to - 1),
      key_id,
      key_name,
      path,
      calls,
      credits,
      refunded,
      price: price === null ? null : moneyText(BigInt(price.amount)),
      currency: price?.currency ?? null,
      amount: amount === null ? null : moneyText(amount),
    }
  })
  return {
    month: month.name,
    account_id: accountId,
    email,
    opening,
    closing,
    movements: movements.map(({ at, ...movement }) => ({ at: isoTime(at), ...movement })),
    usage: items,
    totals: {
      ...totalsOf(usage),
      failed_requests: failed,
      amounts: [...owed].map(([currency, amount]) => ({ currency, amount: rounded(amount, currency) })),
    },
  }
}

/** An amount in the smallest unit of its currency, such as cents; halves away from zero. */
function rounded(amount: bigint, currency: string): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const unit = MILLIONTHS / 10n ** BigInt(digits)
  const half = amount < 0n ? -unit / 2n : unit / 2n
  return moneyText(((amount + half) / unit) * unit, digits)
}

const COLUMNS = [
  ...[
    'month',
    'account_id',
    'email',
    'line',
    'from',
    'until',
    'key_id',
    'key_name',
    'path',
    'reference',
    'note',
  ],
  ...['calls', 'credits', 'refunded', 'price', 'currency', 'amount'],
]

/** The statement as one table: a row for each line of it, of which the column `line` tells the kind. */
export function statementCsv(data: ReturnType<typeof statementJson>): string {
  const { account_id, closing, email, month, movements, opening, totals, usage } = data
  const lines: Readonly<Record<string, unknown>>[] = [
    { line: 'opening', credits: opening },
    ...movements.map(({ at, kind, ...movement }) => ({ ...movement, line: kind, from: at, until: at })),
    ...usage.map((row) => ({ ...row, line: 'usage', credits: -row.credits })),
    { line: 'failed requests', calls: totals.failed_requests, credits: 0 },
    { line: 'closing', credits: closing },
    ...totals.amounts.map((amount) => ({ line: 'amount', ...amount })),
  ]
  return [
    csvRow(COLUMNS),
    ...lines.map((line) => {
      const row: Readonly<Record<string, unknown>> = { month, account_id, email, ...line }
      return csvRow(COLUMNS.map((column) => (row[column] ?? null) as string | number | null))
    }),
  ].join('')
}
