/**
 * The stream of each connection that commits groups. A connection that is lost takes its stream along, so that no stream goes on
 * after a commit of unknown outcome, or on a server that has lost a part of it.
 */
import type { Client } from 'pg'
import type { Stream } from '../../proofs/group.ts'
import type { Run } from '../run.ts'
import type { Sql } from '../sql.ts'
import { goesOn, inUse, type OpenStream, openStream } from '../streams.ts'

export interface ConnectionStreams {
  /** Opens a stream if the connection has none, in a transaction of its own. */
  of(client: Client): Promise<Stream>
  /** The stream with the group that was committed. */
  set(client: Client, stream: Stream): void
}

export function connectionStreams(sql: Sql, run: Run): ConnectionStreams {
  const streams = new WeakMap<Client, OpenStream>()
  const set = (client: Client, stream: Stream): Stream => {
    streams.set(client, inUse(stream))
    return stream
  }
  return {
    of: async (client) => goesOn(streams.get(client)) ?? set(client, await run(() => openStream(sql))),
    set,
  }
}
