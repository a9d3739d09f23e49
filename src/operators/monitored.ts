/** The state of the database that is shown as metrics and to operators. */

import { factOf } from '../ledger/store/facts.ts'
import { first, type Sql } from '../ledger/store/sql.ts'
import { firingAlerts } from './alerts/rows.ts'
import { LEDGER_CHECK } from './ledger-check.ts'
import { readNote } from './notes.ts'

export function* monitoredState(sql: Sql) {
  const now = yield* sql.clock()
  const mails = yield* first(
    sql.db
      .selectFrom('mails')
      .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('created_at').as('oldest')])
      .where('sealed', 'is not', null),
  )
  return {
    mailsWaiting: Number(mails!.waiting),
    /** By the database's clock; 0: no mail waits. */
    oldestMailAgeMs: Math.max(0, now - Number(mails!.oldest ?? now)),
    /** The last check of all accounts; null: there was none. */
    ledgerCheck: yield* factOf<{ readonly at: number; readonly differing: number }>(sql, LEDGER_CHECK),
  }
}

/** The monitored state, the last backups that were noted, and the alerts that were sent and are not over. */
export function* watchedState(sql: Sql) {
  return {
    ...(yield* monitoredState(sql)),
    backup: yield* readNote(sql, 'backup'),
    masterKeyCopy: yield* readNote(sql, 'master-key-copy'),
    firing: yield* firingAlerts(sql),
  }
}
