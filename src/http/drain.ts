/** Closes a server without cutting connections: new ones are refused, open ones end with their next reply. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 10

/**
 * Refuses new connections, and tells every client with its next reply that the connection ends. Node's own close
 * would cut idle connections, on which a request may already be on its way. Resolves when no connection is left, or
 * after `graceMs`, when the connections that are left have sent nothing.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  })
  // Right after an iteration of the event loop has accepted connections, hardly any is waiting to be accepted.
  await nextIteration()
  NetServer.prototype.close.call(server)
  const deadline = performance.now() + graceMs
  while ((await connectionsOf(server)) > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS)
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))
