/** The state of the database that is shown as metrics and to operators. */
import { type FiringAlert, firingAlerts } from '../alerts/rows.ts'
import { factOf } from '../store/facts.ts'
import { first, type Sql, type Transaction } from '../store/sql.ts'
import { LEDGER_CHECK } from './ledger-check.ts'
import { type Note, readNote } from './notes.ts'

interface MonitoredState {
  readonly mailsWaiting: number
  /** By the database's clock; 0 if no mail waits. */
  readonly oldestMailAgeMs: number
  /** The last check of all accounts; null: there was none. */
  readonly ledgerCheck: { readonly at: number; readonly differing: number } | null
}

export function* monitoredState(sql: Sql): Transaction<MonitoredState> {
  const now = yield* sql.clock()
  const mails = yield* first(
    sql.db
      .selectFrom('mails')
      .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest')])
      .where('sealed', 'is not', null),
  )
  return {
    mailsWaiting: Number(mails!.waiting),
    oldestMailAgeMs: Math.max(0, now - Number(mails!.oldest ?? now)),
    ledgerCheck: yield* factOf(sql, LEDGER_CHECK),
  }
}

interface Watched {
  readonly backup: Note | null
  readonly masterKeyCopy: Note | null
  readonly firing: readonly FiringAlert[]
}

/** The same with the last copies that are known, and the alerts that were told. */
export function* watchedState(sql: Sql): Transaction<MonitoredState & Watched> {
  return {
    ...(yield* monitoredState(sql)),
    backup: yield* readNote(sql, 'backup'),
    masterKeyCopy: yield* readNote(sql, 'master-key-copy'),
    firing: yield* firingAlerts(sql),
  }
}
