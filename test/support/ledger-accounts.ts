/** Accounts for ledger tests, with given credits and limits; their state in the ledger is read by plain SQL. */
import { join } from 'node:path'
import type { Call } from '../../src/ledger/rules/types.ts'
import { call } from './ledger-in-memory.ts'
import { type PlainSql, postgresSql, sqliteSql } from './plain-sql.ts'
import type { TestService } from './service.ts'

export interface LedgerAccount {
  readonly id: number
  readonly keyId: number
  readonly key: string
}

export const sqlOf = ({ databaseUrl, dataDir }: TestService): PlainSql =>
  databaseUrl === null ? sqliteSql(join(dataDir, 'quantd.db')) : postgresSql(databaseUrl)

/** Creates a guest and makes it a registered account with these credits and this hourly limit. */
export async function ledgerAccount(
  service: Pick<TestService, 'guest'>,
  sql: PlainSql,
  { credits, hourLimit }: { credits: number; hourLimit: number },
): Promise<LedgerAccount> {
  const key = await service.guest()
  const [newest] = await sql.query<{ id: number }>('SELECT id FROM accounts ORDER BY id DESC LIMIT 1')
  const { id } = newest!
  const [own] = await sql.query<{ id: number }>('SELECT id FROM api_keys WHERE account_id = $1', [id])
  await sql.query(
    `UPDATE accounts SET tier = 'free', expires_at = NULL, balance = $1, hour_limit = $2 WHERE id = $3`,
    [credits, hourLimit, id],
  )
  await sql.query('UPDATE ledger SET amount = $1 WHERE account_id = $2', [credits, id])
  return { id, keyId: own!.id, key }
}

/** A call of this account with a unique id. */
export const callOf = (
  { id, keyId }: Pick<LedgerAccount, 'id' | 'keyId'>,
  fields: Partial<Call> = {},
): Call => call({ id: crypto.randomUUID(), accountId: id, keyId, ...fields })

/** The state of an account in the ledger. */
export interface LedgerState {
  readonly balance: number
  readonly hour: number
  /** The sum of all movements in the ledger: grants, transfers and refunds. */
  readonly given: number
  readonly debited: number
  readonly auditRows: number
}

export async function ledgerStateOf(sql: PlainSql, accountId: number): Promise<LedgerState> {
  const [account] = await sql.query<{ balance: number; hour_count: number }>(
    'SELECT balance, hour_count FROM accounts WHERE id = $1',
    [accountId],
  )
  const [ledger] = await sql.query<{ given: number }>(
    'SELECT cast(coalesce(sum(amount), 0) AS bigint) AS given FROM ledger WHERE account_id = $1',
    [accountId],
  )
  const [audit] = await sql.query<{ debited: number; count: number }>(
    `SELECT cast(coalesce(sum(credits), 0) AS bigint) AS debited, count(*) AS count FROM audit
     WHERE account_id = $1 AND kind = 'computation'`,
    [accountId],
  )
  return {
    balance: account!.balance,
    hour: account!.hour_count,
    given: ledger!.given,
    debited: audit!.debited,
    auditRows: audit!.count,
  }
}
