/** One request at a time on each connection: the next one begins when the client has taken the reply before it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WAITING_BYTES, WAITING_REQUESTS } from '../limits.ts'
import type { Connections } from './connections.ts'
import { type Connection, connectionOf, Exchange } from './exchange.ts'
import type { ReplyBudget } from './reply-budget.ts'

export interface SequentialRequests {
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
  /** Runs `action` once every request that arrived in full is answered. No further one is read. */
  afterLast(connection: Connection, action: () => void): void
}

/**
 * Node emits every request in the bytes that have arrived, up to 64 KiB, even if the client does not read the replies.
 * Requests behind the first one wait here. A client that sends more of them, or more bytes, than may wait loses its connection.
 */
export function sequentialRequests(
  handle: (exchange: Exchange) => void,
  connections: Connections,
  budget: ReplyBudget,
): SequentialRequests {
  const begin = (exchange: Exchange): void => {
    const { connection, response } = exchange
    connection.current = exchange
    connections.busy(connection)
    response.on('close', () => end(exchange))
    handle(exchange)
  }
  const end = (exchange: Exchange): void => {
    const { connection } = exchange
    const { last, socket, waiting } = connection
    exchange.end()
    connection.current = null
    // The reply with `Connection: close` is the last one, whatever was sent behind its request.
    const next = socket.writable ? waiting.shift() : undefined
    if (next === undefined) {
      connections.idle(connection)
      last?.()
    } else begin(next)
  }
  return {
    listener(request, response) {
      const { socket } = request
      const connection = connectionOf(socket)
      // The connection was refused or has ended, which Node's parser does not look at.
      if (connection === undefined || !socket.writable) return
      const { current, waiting } = connection
      const bytes = waiting.length === 0 ? 0 : socket.bytesRead - waiting[0].readBefore
      if (waiting.length === WAITING_REQUESTS || bytes > WAITING_BYTES) {
        socket.destroy()
        return
      }
      const exchange = new Exchange(connection, request, response, budget)
      if (current === null) begin(exchange)
      else waiting.push(exchange)
    },
    afterLast(connection, action) {
      const { current, socket, waiting } = connection
      // The last one is the malformed request itself if its head could be parsed.
      if (waiting.at(-1)?.request.complete === false) waiting.pop()
      // Its reply was written before its body was found malformed, and ends the connection.
      else if (current?.request.complete === false && current.response.headersSent) return
      if (waiting.length === 0 && current?.request.complete !== true) return action()
      connection.last = action
      socket.pause()
    },
  }
}
