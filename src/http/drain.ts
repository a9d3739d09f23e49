/** The end of a server, gently: no new connections, and those that are open are used up instead of cut. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

const LOOK_EVERY_MS = 10

/**
 * Refuses new connections, and tells every client with its next reply that the connection ends. Node's own close would
 * cut connections between two requests, one of which may be on its way. Resolves when no connection is left, or after
 * `graceMs`: by then those that are left have been silent.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  })
  // Right after the system was asked for new connections, hardly one can be waiting to be taken.
  await turn()
  NetServer.prototype.close.call(server)
  const deadline = performance.now() + graceMs
  while ((await connectionsOf(server)) > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS)
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))
