/** Records of acts outside the service: the last copies of the database and of the master key. */
import { factOf, setFact } from '../ledger/store/facts.ts'
import type { Sql, Transaction } from '../ledger/store/sql.ts'
import { type AdminEvent, writeAdminEvent } from './event.ts'

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
  yield* writeAdminEvent(sql, event, null, 'noted', { what })
  return note
}

/** The last note of a copy; null: it was never noted. */
export const readNote = (sql: Sql, what: Noted): Transaction<Note | null> => factOf(sql, nameOf(what))
