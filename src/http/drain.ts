/** Closes a server gracefully: after a delay it refuses new connections; it closes each open one with its next reply. */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import { LAST_CONNECTIONS_MS, LAST_REQUESTS_MS } from '../limits.ts'

/**
 * Sends `Connection: close` in reply to every further request, and refuses new connections after `delayMs`: a load balancer
 * has then seen that the node is not ready. Closing at once resets connections that the kernel has accepted but the process
 * has not; not every load balancer can repeat a POST that was refused. Replies to earlier requests end their connections
 * once the port is closed (server.ts): clients would else connect again while it closes. Node's own close would destroy
 * idle connections, on which a request may be arriving, and end its time limits of arriving requests: idle ones are
 * destroyed from `graceMs` later on, and requests that are still arriving are refused after `LAST_REQUESTS_MS`. Resolves
 * when every request is answered, or at the latest `LAST_CONNECTIONS_MS` after the port closed.
 */
export async function drain(server: Server, delayMs: number, graceMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  })
  await sleep(delayMs)
  // An iteration of the event loop accepts the waiting connections; closing right after it refuses the fewest.
  await nextIteration()
  const closed = once(server, 'close')
  NetServer.prototype.close.call(server)
  // The head of a large reply may have been sent before the stop: its connection is idle after it.
  const idle = setInterval(() => server.closeIdleConnections(), graceMs)
  const late = setTimeout(
    () => Object.assign(server, { headersTimeout: 1, requestTimeout: 1 }),
    LAST_REQUESTS_MS,
  )
  const last = setTimeout(() => server.closeAllConnections(), LAST_CONNECTIONS_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
  clearTimeout(last)
  // Of what is closed, this ends the timer.
  server.close()
}
