/** What operators do outside the service, and when it was last done: copies of the database and of the master key. */
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import { type AdminEvent, writeAdminEvent } from './event.ts'

export const NOTED = ['backup', 'master-key-copy'] as const
export type Noted = (typeof NOTED)[number]

export interface Note {
  readonly at: number
  readonly actor: string
  /** The master key that secrets were written under. */
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
  const value = JSON.stringify(note)
  yield* rows(
    sql.db
      .insertInto('facts')
      .values({ name: nameOf(what), value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
  )
  yield* writeAdminEvent(sql, event, null, 'noted', { what })
  return note
}

/** Null: it was never noted. */
export function* readNote({ db }: Sql, what: Noted): Transaction<Note | null> {
  const fact = yield* first(db.selectFrom('facts').select('value').where('name', '=', nameOf(what)))
  return fact === undefined ? null : JSON.parse(fact.value)
}
