/** The sums of a ledger under a long test, read beside the service. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlainSql } from '../support/plain-sql.ts'

export interface LedgerSum {
  readonly id: number
  readonly balance: number
  readonly hour_count: number
  /** Everything in the ledger: grants, transfers and refunds. */
  readonly given: number
  readonly debited: number
}

/** Each account's balance, window, movements and debits. Without joins, which a sharded database does not make. */
export async function ledgerSums(sql: PlainSql): Promise<LedgerSum[]> {
  const sumsOf = async (column: string, table: string) => {
    const rows = await sql.query<{ account_id: number; sum: number }>(
      `SELECT account_id, cast(sum(${column}) AS bigint) AS sum FROM ${table} GROUP BY account_id`,
    )
    return new Map(rows.map(({ account_id, sum }) => [account_id, sum]))
  }
  const [given, debited] = [await sumsOf('amount', 'ledger'), await sumsOf('credits', 'audit')]
  const accounts = await sql.query<Omit<LedgerSum, 'given' | 'debited'>>(
    'SELECT id, balance, hour_count FROM accounts ORDER BY id',
  )
  return accounts.map((account) => ({
    ...account,
    given: given.get(account.id) ?? 0,
    debited: debited.get(account.id) ?? 0,
  }))
}

/** The number of refunds to the accounts from this id on. */
export async function refundsOf(sql: PlainSql, firstAccount = 0): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM ledger WHERE kind = 'refund' AND account_id >= $1`,
    [firstAccount],
  )
  return row!.count
}

/** The first lines of a node's log that tell of a bug. */
export const bugsOf = ({ dataDir }: { readonly dataDir: string }): string[] =>
  readFileSync(join(dataDir, 'log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('internal error'))
    .slice(0, 5)
    .map((line) => `internal error in the log: ${line.slice(0, 1_000)}`)
