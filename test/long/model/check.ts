/** What commands share: the service, its accounts, and the comparison of an account with the model. */
import assert from 'node:assert/strict'
import type fc from 'fast-check'
import { ledgerStateOf } from '../../support/ledger-accounts.ts'
import type { PlainSql } from '../../support/plain-sql.ts'
import type { TestService } from '../../support/service.ts'
import { type Account, balanceOf, type Model, sumOfLots } from './account.ts'

export interface Real {
  readonly service: TestService
  readonly sql: PlainSql
  /** How far the service's clock was advanced, in this run and the earlier ones. */
  movedMs: number
}

export type Command = fc.AsyncCommand<Model, Real>

export const pickAccount = (model: Model, which: number): Account =>
  model.accounts[which % model.accounts.length]

export const operatorEvent = () => ({
  ...{ auditId: crypto.randomUUID(), ip: 'cli', requestId: 'model', method: 'CLI', path: 'model' },
  actor: 'model',
})

/** Of the database, as movements and balance will be once what has expired is booked. */
export async function check(model: Model, real: Real, account: Account): Promise<void> {
  const { sql } = real
  const { balance, given, ...state } = await ledgerStateOf(sql, account.id)
  const now = Date.now() + real.movedMs
  const lots = await sql.query<{ remaining: number; expires_at: number }>(
    'SELECT remaining, expires_at FROM lots WHERE account_id = $1 AND remaining > 0',
    [account.id],
  )
  const sum = (of: typeof lots) => of.reduce((all, { remaining }) => all + remaining, 0)
  const due = lots.filter(({ expires_at }) => expires_at <= now)
  const [{ debt }] = await sql.query<{ debt: number }>('SELECT debt FROM accounts WHERE id = $1', [
    account.id,
  ])
  const { computations: auditRows, debited, hour } = account
  assert.deepEqual(
    { ...state, debt, balance: balance - sum(due), given: given - sum(due), lots: sum(lots) - sum(due) },
    {
      ...{ balance: balanceOf(account), hour: hour.count, given: account.given, debited, auditRows },
      ...{ debt: account.debt, lots: sumOfLots(account) },
    },
  )
  assert.ok(balance - sum(due) >= 0)
  const spent = await sql.query<{ id: number; spent_total: number }>(
    'SELECT id, spent_total FROM team_keys WHERE account_id = $1 ORDER BY id',
    [account.id],
  )
  assert.deepEqual(
    spent.map(({ id, spent_total }) => [id, spent_total]),
    account.teamKeys.map((team) => [team.id, team.spent.length]),
  )
  if (due.length === 0) await checkEvents(sql, account)
  model.operations += 1
}

/** Those of credits, each once at its crossing. */
async function checkEvents(sql: PlainSql, { id, told }: Account): Promise<void> {
  const events = await sql.query<{ type: string; count: number }>(
    `SELECT type, count(*) AS count FROM webhook_events WHERE account_id = $1
     AND (type LIKE 'credits.%' OR type LIKE 'grant.%' OR type = 'key.cap_exhausted') GROUP BY type`,
    [id],
  )
  assert.deepEqual(Object.fromEntries(events.map(({ count, type }) => [type, count])), told)
}
