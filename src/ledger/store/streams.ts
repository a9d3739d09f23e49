/** Opens streams of groups in the audit, and decides when a writer begins a new one. */
import { STREAM_MS } from '../../base/limits/operation.ts'
import { version } from '../../base/version.ts'
import { newStream, type Stream } from '../proofs/group.ts'
import type { AddressSalt } from '../proofs/salts.ts'
import { first, type Sql, type Transaction } from './sql.ts'

/** The largest number that the column of numbers holds. */
export const MOST_GROUPS = 2 ** 31 - 1

export function* openStream(sql: Sql): Transaction<Stream> {
  const openedAt = yield* sql.clock()
  const opened = sql.db
    .insertInto('audit_streams')
    .values({ opened_at: openedAt, version, signed_at: openedAt })
  const { id } = (yield* first(opened.returning('id')))!
  return newStream({ id, openedAt, version })
}

/** The stream of a writer, while it goes on. */
export interface OpenStream {
  readonly stream: Stream
  /** The salts of accounts that the writer has read or written; they are those of the database. */
  readonly salts: Map<number, AddressSalt>
  /** By a clock that goes on while the machine is suspended. */
  readonly usedAt: number
}

/** Null: a new stream must be opened, because checkpoints do not read idle streams. @param now by the clock of `usedAt` */
export const goesOn = (open: OpenStream | null | undefined, now: number): OpenStream | null =>
  open && open.stream.number < MOST_GROUPS && Math.abs(now - open.usedAt) < STREAM_MS / 2 ? open : null
