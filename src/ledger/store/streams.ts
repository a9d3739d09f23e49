/** Streams of groups in the audit: opens them, and decides when a writer begins a new one. */
import type { Client } from 'pg'
import { STREAM_MS } from '../../base/limits/operation.ts'
import { version } from '../../base/version.ts'
import { type AddressSalt, newStream, remember, type Salts, type Stream } from '../proofs/group.ts'
import { first, type Run, type Sql, type Transaction } from './sql.ts'

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

export interface ConnectionStreams {
  /** Opens a stream if the connection has none, in a transaction of its own. */
  of(client: Client): Promise<OpenStream>
  /** Stores the stream as the commit has left it. @param salts those that the commit has read or written */
  set(client: Client, stream: Stream, ...salts: readonly Salts[]): void
}

export function connectionStreams(sql: Sql, run: Run): ConnectionStreams {
  const streams = new WeakMap<Client, OpenStream>()
  const set = (client: Client, open: OpenStream): OpenStream => {
    streams.set(client, open)
    return open
  }
  return {
    of: async (client) =>
      goesOn(streams.get(client), Date.now()) ??
      set(client, { stream: await run(() => openStream(sql)), salts: new Map(), usedAt: Date.now() }),
    set: (client, stream, ...salts) => {
      const known = streams.get(client)?.salts ?? new Map()
      for (const more of salts) remember(known, more)
      set(client, { stream, salts: known, usedAt: Date.now() })
    },
  }
}
