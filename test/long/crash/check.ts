/** The rules that must hold between the replies that clients got and the rows in the database. */
import type { PlainSql } from '../../support/plain-sql.ts'
import type { CallRecord } from './client.ts'

export interface Account {
  readonly id: number
  readonly keyed: boolean
  readonly records: readonly CallRecord[]
}

interface AuditRow {
  id: string
  request_id: string
  status: number
  credits: number
  replayed: number
  refunded: number
}

/**
 * Every violation as a sentence.
 * @param lostRefunds ids of calls that stay charged because no disk took their refund and the process was then killed
 */
export async function violationsOf(
  sql: PlainSql,
  account: Account,
  lostRefunds: ReadonlySet<string>,
): Promise<string[]> {
  const rows = await auditOf(sql, account)
  // A call with an idempotency key is not exempt: repeated, it finds its debit.
  const judged = account.keyed ? rows : rows.filter(({ id }) => !lostRefunds.has(id))
  const perCall = Map.groupBy(judged, (row) => row.request_id)
  const calls = [...Map.groupBy(account.records, (record) => record.id)]
  const violations = calls.flatMap(([id, records]) =>
    (account.keyed ? keyedFaults : looseFaults)(records, perCall.get(id) ?? []).map(
      (fault) => `${id}: ${fault}`,
    ),
  )
  const known = new Set(account.records.map((record) => record.id))
  for (const row of rows)
    if (!known.has(row.request_id))
      violations.push(`${row.request_id}: in the audit, but nobody made this call`)
  if (new Set(rows.map((row) => row.id)).size < rows.length)
    violations.push(`account ${account.id}: an audit row was written twice`)
  return [...violations, ...(await sumFaults(sql, account, rows))]
}

async function auditOf(sql: PlainSql, { id }: Account): Promise<AuditRow[]> {
  const refunds = await sql.query<{ audit_id: string; amount: number }>(
    "SELECT audit_id, amount FROM ledger WHERE account_id = $1 AND kind = 'refund'",
    [id],
  )
  const refunded = new Map(refunds.map(({ amount, audit_id }) => [audit_id, amount]))
  const rows = await sql.query<Omit<AuditRow, 'refunded'>>(
    `SELECT id, request_id, status, credits, replayed FROM audit WHERE account_id = $1 AND kind = 'computation'`,
    [id],
  )
  return rows.map((row) => ({ ...row, refunded: refunded.get(row.id) ?? 0 }))
}

const debited = (rows: readonly AuditRow[]): number =>
  rows.reduce((sum, row) => sum + row.credits - row.refunded, 0)

/** An idempotency key that was answered with a success is debited once; every other key is not debited. */
function keyedFaults(records: readonly CallRecord[], rows: readonly AuditRow[]): string[] {
  const faults: string[] = []
  const own = records.filter(({ kind }) => kind !== 'again' && kind !== 'other')
  const succeeded = own.some(({ status }) => status === 200)
  // A call whose reply was lost may have been charged.
  const wasUnanswered = own.some(({ status }) => status === null)
  const net = debited(rows)
  const isExact = net === (succeeded ? 1 : 0) || (wasUnanswered && net === 1)
  if (!isExact) faults.push(`debited ${net} times, answered ${own.map((o) => o.status ?? 'nothing')}`)
  for (const { kind, replayed, retries, status } of records) {
    if (status === null) continue
    if (status === 503 || status === 429) faults.push(`never answered definitely: ${status}`)
    else if (kind === 'again' && !(status === 200 && replayed))
      faults.push(`repeated, but answered ${status}`)
    else if (kind === 'other' && status !== 409) faults.push(`another body was answered ${status}`)
    else if (kind === 'fail' && status !== 422 && status !== 402)
      faults.push(`a failure was answered ${status}`)
    else if (isComputation(kind) && status !== 200 && status !== 402) faults.push(`answered ${status}`)
    else if (isComputation(kind) && retries === 0 && replayed)
      faults.push('a first answer called itself a replay')
  }
  if (new Set(records.filter(({ status }) => status === 200).map(({ data }) => data)).size > 1)
    faults.push('the same call was answered differently')
  return faults
}

const isComputation = (kind: CallRecord['kind']): boolean => kind === 'compute' || kind === 'large'

/** A success is debited once, a refusal never; a call answered 503 is not debited, or was refunded. */
function looseFaults([record]: readonly CallRecord[], rows: readonly AuditRow[]): string[] {
  const { status } = record!
  const net = debited(rows)
  const faults: string[] = []
  if (![200, 402, 422, 503, null].includes(status)) faults.push(`answered ${status}`)
  if (rows.length > 1) faults.push(`one call, ${rows.length} audit rows`)
  if (status === 200 && net !== 1) faults.push(`answered 200, debited ${net} times`)
  if (status === 422 && rows.length !== 1) faults.push('a failure was answered without its audit row')
  if (status !== 200 && status !== null && net !== 0) faults.push(`answered ${status}, debited ${net} times`)
  if (status === null && (net < 0 || net > 1)) faults.push(`connection died, debited ${net} times`)
  return faults
}

/** The balance equals grants and refunds less debits; every audited call was counted in its window. */
async function sumFaults(
  sql: PlainSql,
  { id, records }: Account,
  rows: readonly AuditRow[],
): Promise<string[]> {
  const faults: string[] = []
  const [account] = await sql.query<{ balance: number; debt: number; hour_count: number }>(
    'SELECT balance, debt, hour_count FROM accounts WHERE id = $1',
    [id],
  )
  const [movements] = await sql.query<{ given: number }>(
    'SELECT cast(coalesce(sum(amount), 0) AS bigint) AS given FROM ledger WHERE account_id = $1',
    [id],
  )
  const { balance, debt, hour_count: counted } = account!
  const { given } = movements!
  const debits = rows.reduce((sum, row) => sum + row.credits, 0)
  if (balance - debt !== given - debits)
    faults.push(`account ${id}: balance ${balance}, debt ${debt}, given ${given}, debited ${debits}`)
  if (balance < 0) faults.push(`account ${id}: balance ${balance}`)
  const audited = rows.filter((row) => row.replayed === 0).length
  // A large call is admitted in a transaction of its own, so a call that is lost afterwards stays counted.
  const admittedOnly = records.reduce(
    (sum, { large, retries, status }) =>
      sum + (large ? retries + (status === null || status === 503 ? 1 : 0) : 0),
    0,
  )
  if (counted < audited || counted > audited + admittedOnly)
    faults.push(
      `account ${id}: ${counted} counted in the window, ${audited} audited, ${admittedOnly} large ones unanswered`,
    )
  return faults
}
