/**
 * The streams of the connections that commit groups. A stream ends with its connection, so that none continues after a commit of
 * unknown outcome, or on a server that has lost a part of it.
 */
import type { Client } from 'pg'
import type { Stream } from '../../proofs/group.ts'
import { remember, type Salts } from '../../proofs/salts.ts'
import type { Run, Sql } from '../sql.ts'
import { goesOn, type OpenStream, openStream } from '../streams.ts'

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
