/** Closes a server gracefully: it refuses new connections, and closes each open one with its next reply. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 10

/**
 * Refuses new connections, and sends `Connection: close` with the next reply on each open one. Node's own close would
 * destroy idle connections, on which a request may be arriving; after `graceMs` they are. Resolves when every request is
 * answered.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  })
  // An iteration of the event loop accepts the waiting connections; closing right after it refuses the fewest.
  await nextIteration()
  NetServer.prototype.close.call(server)
  const deadline = performance.now() + graceMs
  while ((await connectionsOf(server)) > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS)
  // The server is closed already, which this calls an error.
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))
