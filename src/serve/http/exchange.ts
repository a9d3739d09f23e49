/** Requests on a connection, which are answered one at a time: the state of the connection and of the request under way. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WAITING_BYTES, WAITING_REQUESTS } from '../../base/limits/callers.ts'
import type { Body } from '../../compute/result.ts'
import type { Address } from './client-ip.ts'
import type { OwnRoom, ReplyBudget } from './reply-budget.ts'

/** The state of an open connection; connections.ts and `sequentialRequests` change it. */
export interface Connection {
  readonly socket: Socket
  /** The address of the peer. */
  readonly address: Address
  /** Whether the peer is a trusted proxy. */
  readonly isProxy: boolean
  /** The request that is being answered; null: the connection is idle. */
  current: Exchange | null
  /** Requests that arrived after the current one. */
  readonly waiting: Exchange[]
  /** Runs in place of the next request, as the last action on the connection. */
  last: (() => void) | null
  /** The number of looks at the connection since bytes moved or a request began or ended. */
  silentLooks: number
  /** Bytes read when it last became idle; null: no request was answered yet. */
  readAtRest: number | null
  /** Bytes read at the last look. */
  readAtLook: number
  /** Whether this side was closed by `end` (connections.ts). */
  isEnding: boolean
}

/** The connection of each socket. */
export const bySocket = new WeakMap<Duplex, Connection>()

/** Large replies are written in pieces of this size, so that progress of the client can be seen. */
const PIECE_BYTES = 64 * 1024

/** One request and its reply. It is a class, because one is made for every request and methods need no closures. */
export class Exchange {
  readonly connection: Connection
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Bytes of the connection that had been read when the request arrived. */
  readonly readBefore: number
  readonly room: OwnRoom

  constructor(
    connection: Connection,
    request: IncomingMessage,
    response: ServerResponse,
    budget: ReplyBudget,
  ) {
    this.connection = connection
    this.request = request
    this.response = response
    this.readBefore = connection.socket.bytesRead
    this.room = budget.room(request, response)
  }

  /** Writes the body, after the head was written. */
  write(body: Body, encoding: 'latin1' | 'utf8'): void {
    this.connection.silentLooks = 0
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) this.#writeLarge(body)
    else if (body.length <= PIECE_BYTES) this.response.end(body, encoding)
    else this.#writeLarge([typeof body === 'string' ? Buffer.from(body, encoding) : body])
  }

  #writeLarge(body: readonly Uint8Array[]): void {
    const { connection, response } = this
    if (!response.closed) this.room.hold(lengthOf(body))
    const pieces = body.flatMap(cut)
    let next = 0
    const write = (): void => {
      while (next < pieces.length) {
        if (response.destroyed) return
        connection.silentLooks = 0
        const piece = pieces[next]
        next += 1
        if (next === pieces.length) response.end(piece)
        else if (!response.write(piece)) {
          response.once('drain', write)
          return
        }
      }
    }
    write()
  }
}

/** The length in bytes. */
export const lengthOf = (body: Body): number =>
  typeof body === 'string' || body instanceof Uint8Array
    ? Buffer.byteLength(body as string)
    : body.reduce((sum, { length }) => sum + length, 0)

const cut = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, index) =>
    bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  )

export interface Occupancy {
  /** A request has begun. */
  busy(connection: Connection): void
  /** Every request that arrived is answered. */
  idle(connection: Connection): void
}

/**
 * Node emits every request in the bytes that have arrived, up to 64 KiB, even if the client does not read the replies.
 * Requests after the first one wait here. A client that sends more of them, or more bytes, than may wait loses its connection.
 */
export function sequentialRequests(
  handle: (exchange: Exchange) => void,
  connections: Occupancy,
  budget: ReplyBudget,
) {
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
    exchange.room.end()
    connection.current = null
    // Requests that were sent after the one whose reply has `Connection: close` are not answered.
    const next = socket.writable ? waiting.shift() : undefined
    if (next === undefined) {
      connections.idle(connection)
      last?.()
    } else begin(next)
  }
  return {
    listener(request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request
      const connection = bySocket.get(socket)
      // Node's parser also emits requests of connections that were refused or have ended.
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
    /** Runs `action` once every request that arrived in full is answered. No further one is read. */
    afterLast(connection: Connection, action: () => void) {
      const { current, socket, waiting } = connection
      // The last waiting request is the malformed one itself if its head could be parsed.
      if (waiting.at(-1)?.request.complete === false) waiting.pop()
      // The malformed request is the current one, and was answered before its body was found malformed: that reply is the last.
      else if (current?.request.complete === false && current.response.headersSent) return
      if (waiting.length === 0 && current?.request.complete !== true) return action()
      connection.last = action
      socket.pause()
    },
  }
}
