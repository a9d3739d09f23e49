/** Closes a server gracefully: after a delay it refuses new connections; it closes each open one with its next reply. */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import { LAST_CONNECTIONS_MS, LAST_REQUESTS_MS } from '../../base/limits/callers.ts'

/**
 * 1. For `delayMs` the port stays open, until load balancers have seen that the node is not ready: closing it resets
 *    connections that the kernel has accepted but the process has not, and not every load balancer can repeat a POST.
 *    Replies to requests that begin from now on end their connections.
 * 2. The port closes. Replies to earlier requests now end their connections, too (server.ts); sooner, their clients would
 *    connect again. Node's own `close` is not used: it would destroy idle connections at once, although a request may be
 *    arriving on one, and stop the time limits of arriving requests.
 * 3. Idle connections are destroyed every `graceMs`. Requests that are still arriving after `LAST_REQUESTS_MS` are refused.
 *
 * Resolves when every request is answered, or at the latest `LAST_CONNECTIONS_MS` after the port closed.
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
  // A large reply whose head was sent before the stop does not end its connection, which is idle afterwards.
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
  // The port is closed already; this call ends Node's timer of the time limits.
  server.close()
}
