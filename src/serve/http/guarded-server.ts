/** The layer between sockets and routes: limits, order of requests, replies to bytes that are no request, and the end. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises'
import {
  DISCARDED_BYTES,
  KEEP_ALIVE_MS,
  LAST_CONNECTIONS_MS,
  LAST_REQUESTS_MS,
  READING,
  REQUEST_MS,
  SILENCE_MS,
  UNREAD_BYTES,
} from '../../base/limits/callers.ts'
import { SECOND_MS } from '../../base/time.ts'
import type { IsProxy } from './client-ip.ts'
import { type ConnectionLimits, connectionsThatFit, openConnections } from './connections.ts'
import { bySocket, type Connection, type Exchange, sequentialRequests } from './exchange.ts'
import { bytesOf, connectRefused, halfRequest, malformedRequest } from './malformed.ts'
import type { PrintedReply } from './printed-reply.ts'
import { type ReplyLimits, replyBudget } from './reply-budget.ts'

export type ServerLimits = ConnectionLimits & ReplyLimits

/**
 * Node reads the next 64 KiB of a connection once fewer bytes of the body than this wait to be read. The number is low, because
 * a chunk of a single byte takes hundreds of bytes of memory while it waits.
 */
const BUFFERED_BYTES = 4 * 1024
const CHECK_TIMEOUTS_MS = 5 * SECOND_MS

/**
 * Creates an HTTP server that calls `handle` with the requests that Node could read, one at a time on each connection.
 * @param onMalformed called with the reply to what Node could not read as a request
 */
export function guardedServer(
  limits: Pick<ServerLimits, 'perAddress'> & Partial<ServerLimits>,
  isProxy: IsProxy,
  onMalformed: (reply: PrintedReply) => void,
  handle: (exchange: Exchange) => void,
): Server {
  const all = {
    total: connectionsThatFit(),
    silenceMs: SILENCE_MS,
    discardBytes: DISCARDED_BYTES,
    ...UNREAD_BYTES,
    ...READING,
    ...limits,
  }
  const budget = replyBudget(all)
  const connections = openConnections(all, {
    onHalfRequest: (connection) => end(connection, halfRequest()),
    onLook(now) {
      if (!server.listening) budget.hurry(now)
      budget.endOverdue(now)
    },
  })
  const end = (connection: Connection, reply: PrintedReply): void => {
    onMalformed(reply)
    connections.end(connection, bytesOf(reply))
  }
  const requests = sequentialRequests(handle, connections, budget)
  const endWith = (socket: Duplex, reply: PrintedReply): void => {
    const connection = bySocket.get(socket)
    if (connection === undefined) socket.destroy()
    else requests.afterLast(connection, () => end(connection, reply))
  }
  const server = createServer({
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
    requireHostHeader: false,
    highWaterMark: BUFFERED_BYTES,
  })
  // A client may close its side of the connection once it has sent its request.
  Object.assign(server, { httpAllowHalfOpen: true, closeIdleConnections: connections.closeIdle })
  return (
    server
      .prependListener('connection', (socket) => {
        const { remoteAddress: peer } = socket
        // Without a peer, the client has reset its connection already: it reads no reply, and the audit could not name it.
        if (peer === undefined || !connections.open(socket, { isProxy: isProxy(peer) })) socket.destroy()
      })
      .on('request', requests.listener)
      // A request with an unknown `Expect` header is answered like any other.
      .on('checkExpectation', (request, response) => server.emit('request', request, response))
      .on('clientError', (error: NodeJS.ErrnoException, socket) =>
        endWith(socket, malformedRequest(error.code)),
      )
      .on('connect', (_request, socket) => {
        socket.on('error', () => undefined)
        endWith(socket, connectRefused())
      })
      .on('close', connections.close)
  )
}

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
