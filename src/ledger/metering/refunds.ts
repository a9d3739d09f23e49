/** Refunds of calls that were debited although the reply said that they failed. */
import { sql as raw } from 'kysely'
import { timeOfId } from '../../base/ids.ts'
import { CLOCK_DIFFERENCE_MS } from '../../base/limits/operation.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'
import type { Store } from '../store/store.ts'

/** Refunds calls, in a transaction for each set of accounts that commit together; returns how many. */
export async function refundCalls(
  store: Pick<Store, 'together' | 'run'>,
  calls: readonly UnresolvedCall[],
): Promise<number> {
  const results = []
  for (const together of Map.groupBy(calls, ({ accountId }) => store.together(accountId)).values())
    results.push(...(await Promise.allSettled([store.run(refund, together)])))
  // The caller tries all calls again; those that were refunded now are then skipped.
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
}

export interface UnresolvedCall {
  readonly auditId: string
  readonly accountId: number
}

/** The time from which the rows of these ids were written, so that older days of the audit are not searched. */
const writtenSince = (ids: readonly string[]): number =>
  ids.reduce(
    (least, id) => Math.min(least, (timeOfId(id) ?? 0) - CLOCK_DIFFERENCE_MS),
    Number.MAX_SAFE_INTEGER,
  )

/**
 * Refunds the debits of these calls, each at most once; returns how many. A call whose idempotency key was replayed
 * since keeps its debit, because the caller got the result. The key of a refunded call is released, so that its next
 * use is charged.
 */
export function* refund(sql: Sql, calls: readonly UnresolvedCall[]): Transaction<number> {
  const ids = calls.map((call) => call.auditId)
  const accountIds = [...new Set(calls.map((call) => call.accountId))]
  const locked = [...accountIds, ...(yield* takenOverBy(sql, accountIds))]
  yield* sql.lock(locked)
  // A takeover may have ended between the two statements.
  const late = (yield* takenOverBy(sql, accountIds)).filter((id) => !locked.includes(id))
  if (late.length > 0) yield* sql.lock(late)
  const now = yield* sql.clock()
  const debits = yield* rows(
    sql.db
      .selectFrom('audit')
      .innerJoin('accounts', 'accounts.id', 'audit.account_id')
      .leftJoin('api_keys', (join) =>
        join.onRef('api_keys.id', '=', 'audit.key_id').onRef('api_keys.account_id', '=', 'audit.account_id'),
      )
      .select([
        'audit.id',
        'accounts.id as account',
        'accounts.linked_to',
        'audit.credits',
        'audit.at',
        'api_keys.team_key_id',
      ])
      .where('audit.id', 'in', ids)
      .where('audit.at', '>=', writtenSince(ids))
      .where('audit.account_id', 'in', accountIds)
      .where('audit.credits', '>', 0),
  )
  let refunded = 0
  for (const debit of debits) {
    // A guest's credits and idempotency keys belong to the account that took it over.
    const payee = debit.linked_to ?? debit.account
    if (yield* isReplayed(sql, payee, debit.id)) continue
    if (yield* isRefunded(sql, debit, payee)) continue
    yield* rows(
      sql.db.insertInto('ledger').values({
        at: now,
        account_id: payee,
        kind: 'refund',
        amount: debit.credits,
        audit_id: debit.id,
        note: 'debited but answered with a failure',
        team_key_id: debit.team_key_id,
      }),
    )
    refunded += 1
    yield* rows(
      sql.db
        .updateTable('accounts')
        .set((update) => ({ balance: update('balance', '+', debit.credits) }))
        .where('id', '=', payee),
    )
    if (debit.team_key_id !== null) yield* giveCapBack(sql, debit.team_key_id, debit)
    yield* rows(
      sql.db.deleteFrom('bindings').where('account_id', '=', payee).where('audit_id', '=', debit.id),
    )
  }
  return refunded
}

/** The accounts that took guests among these over. */
function* takenOverBy({ db }: Sql, accountIds: readonly number[]): Transaction<number[]> {
  const guests = db.selectFrom('accounts').select('linked_to').where('id', 'in', accountIds)
  return (yield* rows(guests.where('linked_to', 'is not', null))).map(({ linked_to }) => linked_to!)
}

/** Whether the caller has got the result of the call by a repetition. */
function* isReplayed({ db }: Sql, accountId: number, auditId: string): Transaction<boolean> {
  // The account is in the condition because the table's key begins with it, and the audit row has no index.
  const bound = db.selectFrom('bindings').select('replayed').where('account_id', '=', accountId)
  return (yield* rows(bound.where('audit_id', '=', auditId))).some(({ replayed }) => replayed > 0)
}

/** Takes a refund out of the lineage's spending; a debit of an earlier period is only in its total. */
function* giveCapBack(
  sql: Sql,
  id: number,
  { account, at, credits }: { account: number; at: number; credits: number },
): Transaction<void> {
  yield* rows(
    sql.db
      .updateTable('team_keys')
      .set((update) => ({
        spent_total: update('spent_total', '-', credits),
        spent: raw<number>`case when spent_from <= ${at} then spent - ${credits} else spent end`,
      }))
      .where('id', '=', id)
      .where('account_id', '=', account),
  )
}

/** A guest may have got the refund before an account took it over. The lock on the guest excludes other refunds of its calls. */
function* isRefunded(
  sql: Sql,
  { account, id }: { readonly account: number; readonly id: string },
  payee: number,
): Transaction<boolean> {
  const refunds = sql.db
    .selectFrom('ledger')
    .select('id')
    // The condition must be a literal: a parameter does not match the partial index.
    .where('kind', '=', raw.lit('refund'))
    .where('audit_id', '=', id)
  return (yield* rows(refunds.where('account_id', 'in', [account, payee]))).length > 0
}
