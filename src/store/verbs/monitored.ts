/** The state of the database that is shown as metrics. */
import { first, rows, type Sql, type Transaction } from '../sql.ts'

export interface MonitoredState {
  readonly mailsWaiting: number
  /** By the database's clock; 0 if no mail waits. */
  readonly oldestMailAgeMs: number
  /** The last check of all accounts; null: there was none. */
  readonly ledgerCheck: { readonly at: number; readonly differing: number } | null
}

const LEDGER_CHECK = 'ledger check'

export function* monitoredState(sql: Sql): Transaction<MonitoredState> {
  const now = yield* sql.clock()
  const mails = yield* first(
    sql.db
      .selectFrom('mails')
      .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest')])
      .where('sealed', 'is not', null),
  )
  const check = yield* first(sql.db.selectFrom('facts').select('value').where('name', '=', LEDGER_CHECK))
  return {
    mailsWaiting: Number(mails!.waiting),
    oldestMailAgeMs: Math.max(0, now - Number(mails!.oldest ?? now)),
    ledgerCheck: check === undefined ? null : JSON.parse(check.value),
  }
}

/** Records a check of all accounts. @param differing accounts whose balance differs from the ledger */
export function* recordLedgerCheck(sql: Sql, differing: number): Transaction<void> {
  const value = JSON.stringify({ at: yield* sql.clock(), differing })
  yield* rows(
    sql.db
      .insertInto('facts')
      .values({ name: LEDGER_CHECK, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
  )
}
