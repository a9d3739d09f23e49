/** The parts that commands share: the service, its accounts, and the comparison of an account with the model. */
import assert from 'node:assert/strict'
import type fc from 'fast-check'
import { expireLots as bookExpired } from '../../../src/app/main/clean-up.ts'
import { ledgerStateOf } from '../../support/ledger-accounts.ts'
import type { PlainSql } from '../../support/plain-sql.ts'
import type { TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { type Account, balanceOf, type Model, sumOfLots } from './account.ts'

export interface Real {
  readonly service: TestService
  readonly sql: PlainSql
  /** The time by which the service's clock was advanced, in this run and the earlier ones. */
  movedMs: number
}

export type Command = fc.AsyncCommand<Model, Real>

/** A step of a run, which is skipped where it is not possible. @param name the text for a failed run, with the step's values */
export const command = (
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): Command => ({ check: isPossible, run, toString: () => name })

export const hasAccounts = ({ accounts }: Readonly<Model>): boolean => accounts.length > 0

export const pickAccount = (model: Model, which: number): Account =>
  model.accounts[which % model.accounts.length]

/** Compares an account with the model, after the last call or a clean-up has booked its expired credits. */
export async function check(model: Model, { service, sql }: Real, account: Account): Promise<void> {
  await service.store.run(bookExpired)
  const due = `SELECT 1 AS due FROM accounts WHERE id = $1 AND lots_expire_at <= $2`
  const now = await service.store.run((its) => its.clock())
  await until(async () => (await sql.query(due, [account.id, now])).length === 0, 'what expired is booked')
  const [held] = await sql.query<{ debt: number; lots: number }>(
    `SELECT debt, cast(coalesce((SELECT sum(remaining) FROM lots WHERE account_id = accounts.id), 0) AS bigint) AS lots
     FROM accounts WHERE id = $1`,
    [account.id],
  )
  const { computations: auditRows, debited, debt, given, hour } = account
  assert.deepEqual(
    { ...(await ledgerStateOf(sql, account.id)), ...held },
    {
      balance: balanceOf(account),
      hour: hour.count,
      given,
      debited,
      auditRows,
      debt,
      lots: sumOfLots(account),
    },
  )
  const spent = await sql.query<{ id: number; spent_total: number }>(
    'SELECT id, spent_total FROM team_keys WHERE account_id = $1 ORDER BY id',
    [account.id],
  )
  assert.deepEqual(
    spent.map(({ id, spent_total }) => [id, spent_total]),
    account.teamKeys.map((team) => [team.id, team.spent.length]),
  )
  await checkEvents(sql, account)
  model.operations += 1
}

/** Compares the numbers of events about credits, grants and caps. */
async function checkEvents(sql: PlainSql, { id, eventCounts }: Account): Promise<void> {
  const events = await sql.query<{ type: string; count: number }>(
    `SELECT type, count(*) AS count FROM webhook_events WHERE account_id = $1
     AND (type LIKE 'credits.%' OR type LIKE 'grant.%' OR type = 'key.cap_exhausted') GROUP BY type`,
    [id],
  )
  assert.deepEqual(Object.fromEntries(events.map(({ count, type }) => [type, count])), eventCounts)
}
