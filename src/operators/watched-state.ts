/**
 * The state of the database that is shown as metrics and to operators, and the records of acts outside the service: the last copies
 * of the database and of the master key.
 */
import { factOf, setFact } from '../ledger/store/facts.ts'
import { first, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { firingAlerts } from './alerts/coordination.ts'
import { type AdminEvent, writeAdminEvent } from './audit-event.ts'
import { LEDGER_CHECK } from './ledger-check.ts'

export const NOTED = ['backup', 'master-key-copy'] as const
export type Noted = (typeof NOTED)[number]

export interface Note {
  readonly at: number
  readonly actor: string
  /** The id of the master key that encrypted secrets at that time. */
  readonly masterKeyId: string
}

const nameOf = (what: Noted): string => `last ${what}`

export function* writeNote(
  sql: Sql,
  {
    event,
    masterKeyId,
    what,
  }: { readonly what: Noted; readonly masterKeyId: string; readonly event: AdminEvent },
): Transaction<Note> {
  const note = { at: yield* sql.clock(), actor: event.actor, masterKeyId }
  yield* setFact(sql, nameOf(what), note)
  yield* writeAdminEvent(sql, event, 'noted', { facts: { what } })
  return note
}

/** The last note of a copy; null: it was never noted. */
const readNote = (sql: Sql, what: Noted): Transaction<Note | null> => factOf(sql, nameOf(what))

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
