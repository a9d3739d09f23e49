/** Refunds of calls that were debited although their caller was told they failed. */
import { sql as raw } from 'kysely'
import { rows, type Sql, type Transaction } from '../sql.ts'

/**
 * Gives back the debits of these calls, each once. A call whose idempotency key has been answered since keeps
 * its debit: its caller did get the result. A refunded call's key is released, so that it is charged afresh.
 */
export function* refund(
  sql: Sql,
  calls: readonly { auditId: string; accountId: number }[],
): Transaction<number> {
  const ids = calls.map((call) => call.auditId)
  yield* sql.lock(calls.map((call) => call.accountId))
  const now = yield* sql.clock()
  const debits = yield* rows(
    sql.db
      .selectFrom('audit')
      .innerJoin('accounts', 'accounts.id', 'audit.account_id')
      .leftJoin('bindings', (join) =>
        // The account leads the key of the table, which has no index on the audit row.
        join
          .onRef('bindings.account_id', '=', 'audit.account_id')
          .onRef('bindings.audit_id', '=', 'audit.id'),
      )
      .select([
        'audit.id',
        'accounts.id as account',
        'accounts.linked_to',
        'audit.credits',
        'bindings.replayed',
      ])
      .where('audit.id', 'in', ids)
      .where('audit.credits', '>', 0),
  )
  let refunded = 0
  for (const debit of debits) {
    if (debit.replayed === 1) continue
    // What a guest had belongs to the account that took it over.
    const payee = debit.linked_to ?? debit.account
    const written = yield* rows(
      sql.db
        .insertInto('ledger')
        .values({
          at: now,
          account_id: payee,
          kind: 'refund',
          amount: debit.credits,
          audit_id: debit.id,
          note: 'debited but answered with a failure',
        })
        .onConflict((conflict) =>
          // A partial index is recognised by its own words only: a parameter would match none.
          conflict.column('audit_id').where('kind', '=', raw.lit('refund')).doNothing(),
        )
        .returning('id'),
    )
    if (written.length === 0) continue
    refunded += 1
    yield* rows(
      sql.db
        .updateTable('accounts')
        .set((update) => ({ balance: update('balance', '+', debit.credits) }))
        .where('id', '=', payee),
    )
    yield* rows(
      sql.db.deleteFrom('bindings').where('account_id', '=', debit.account).where('audit_id', '=', debit.id),
    )
  }
  return refunded
}
