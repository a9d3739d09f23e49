/** Holds what callers were told against the books: each reply against its audit row, each balance against its parts. */
import type { PlainSql } from '../torture/plain-sql.ts'

export interface Account {
  readonly id: number
  apiKey: string
}

/** What became of one request to a computation. */
export interface Told {
  /** The request's X-Request-Id. Repetitions under one Idempotency-Key share it. */
  readonly id: string
  /** null: no reply came. */
  readonly status: number | null
  readonly charged: number
}

/** Stands for the id of a request whose name the service made, where its reply did not come. */
export const UNNAMED = ''

export interface Books {
  /** A request whose reply, or its lack, must be found in the books. */
  told(account: Account, told: Told): void
  /** A request of an account whose requests cannot be told apart: only the sums are held against the books. */
  toldRoughly(account: Account, charged: number, unanswered: number): void
  /** Compares and starts anew; nothing may be under way. Every violation as a sentence. */
  check(): Promise<string[]>
}

/** Replies that an admitted request gets: each has an audit row. The others consume nothing. */
const COUNTED = new Set([200, 400, 413, 415, 422])

interface AuditRow {
  id: string
  account_id: number
  request_id: string
  status: number
  credits: number
  refunded: number
}

export function openBooks(sql: PlainSql): Books {
  let calls = new Map<number, Map<string, Told[]>>()
  let rough = new Map<number, { charged: number; unanswered: number }>()
  let lastAudit = ''
  return {
    told({ id }, told) {
      const ofAccount = calls.get(id) ?? new Map<string, Told[]>()
      calls.set(id, ofAccount)
      const same = ofAccount.get(told.id)
      if (same === undefined) ofAccount.set(told.id, [told])
      else same.push(told)
    },
    toldRoughly({ id }, charged, unanswered) {
      const sum = rough.get(id) ?? { charged: 0, unanswered: 0 }
      rough.set(id, { charged: sum.charged + charged, unanswered: sum.unanswered + unanswered })
    },
    async check() {
      const rows = await sql.query<AuditRow>(
        `SELECT a.id, a.account_id, a.request_id, a.status, a.credits, coalesce(l.amount, 0) AS refunded
         FROM audit a LEFT JOIN ledger l ON l.audit_id = a.id AND l.kind = 'refund'
         WHERE a.kind = 'computation' AND a.id > $1`,
        [lastAudit],
      )
      const written = Map.groupBy(rows, (row) => row.account_id)
      const faults: string[] = []
      for (const [account, ofAccount] of calls) {
        const byRequest = Map.groupBy(written.get(account) ?? [], (row) => row.request_id)
        const unnamed = ofAccount.get(UNNAMED)?.length ?? 0
        ofAccount.delete(UNNAMED)
        for (const [id, told] of ofAccount)
          faults.push(...requestFaults(told, byRequest.get(id) ?? []).map((fault) => `${id}: ${fault}`))
        const unknown = [...byRequest.keys()].filter((id) => !ofAccount.has(id))
        if (unknown.length > unnamed)
          faults.push(`${unknown}: in the audit of account ${account}, but nobody made these requests`)
      }
      for (const [account, sum] of rough) {
        const debited = net(written.get(account) ?? [])
        if (debited < sum.charged || (sum.unanswered === 0 && debited !== sum.charged))
          faults.push(
            `account ${account} was told of ${sum.charged} credits, with ${sum.unanswered} requests unanswered; debited are ${debited}`,
          )
      }
      for (const { id } of rows) if (id > lastAudit) lastAudit = id
      calls = new Map()
      rough = new Map()
      return [...faults, ...(await balanceFaults(sql))]
    },
  }
}

const net = (rows: readonly AuditRow[]): number =>
  rows.reduce((sum, row) => sum + row.credits - row.refunded, 0)

/** A success is debited as its reply said, a refusal never; what got no definite reply may have been entered. */
function requestFaults(told: readonly Told[], rows: readonly AuditRow[]): string[] {
  const faults: string[] = []
  const answers = told.map(({ status }) => status ?? 'nothing').join(', ')
  const charged = told.reduce((sum, one) => sum + one.charged, 0)
  const debited = net(rows)
  const isOpen = told.some(({ status }) => status === null)
  const succeeded = told.some(({ status }) => status === 200)
  // The debit of an attempt that was answered 503 or not at all is kept when its key is answered again.
  const isRepeated = told.length > 1 && succeeded
  if (debited < charged || (debited > charged && !isOpen && !isRepeated))
    faults.push(`answered ${answers} with ${charged} credits charged, debited ${debited}`)
  const counted = told.filter(({ status }) => status !== null && COUNTED.has(status)).length
  const uncertain = told.filter(({ status }) => status === null || status === 503).length
  if (rows.length < counted || rows.length > counted + uncertain)
    faults.push(`answered ${answers}, but ${rows.length} audit rows`)
  for (const { status } of rows)
    if (uncertain === 0 && !told.some((one) => one.status === status))
      faults.push(`answered ${answers}, but the audit says ${status}`)
  return faults
}

/** Every balance is what was given less what was debited, and none is below zero. */
async function balanceFaults(sql: PlainSql): Promise<string[]> {
  const rows = await sql.query<{ id: number; balance: number; given: number; debited: number }>(
    `SELECT a.id, a.balance, coalesce(l.given, 0) AS given, coalesce(u.debited, 0) AS debited FROM accounts a
     LEFT JOIN (SELECT account_id, cast(sum(amount) AS bigint) AS given FROM ledger GROUP BY account_id) l ON l.account_id = a.id
     LEFT JOIN (SELECT account_id, cast(sum(credits) AS bigint) AS debited FROM audit GROUP BY account_id) u ON u.account_id = a.id`,
  )
  return rows
    .filter(({ balance, debited, given }) => balance !== given - debited || balance < 0)
    .map(
      ({ balance, debited, given, id }) =>
        `account ${id}: balance ${balance}, given ${given}, debited ${debited}`,
    )
}
