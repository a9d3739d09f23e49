/** A server with the test's own routes and lower limits, and bare sockets as its clients. */
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Incoming } from '../../src/protocol/incoming.ts'
import type { ServerLimits } from '../../src/serve/http/guarded-server.ts'
import { type PrintedReply, unbilled } from '../../src/serve/http/printed-reply.ts'
import { createServer, type Route } from '../../src/serve/http/server.ts'
import { until } from './until.ts'

export interface Edge {
  readonly port: number
  /** Connections that the server has open. */
  open(): Promise<number>
  close(): Promise<void>
}

export interface EdgeOptions {
  readonly host?: string
  readonly limits?: Partial<ServerLimits>
  readonly trustedProxies?: readonly string[]
  readonly routes?: readonly Route[]
}

/** A route that answers with what `data` returns. */
export const route = (
  method: Route['method'],
  path: string,
  data: (incoming: Incoming) => unknown,
): Route => ({
  method,
  path,
  answer: async (incoming) => plain(JSON.stringify(await data(incoming)), incoming.requestId),
})

/** A reply without an envelope. */
export const plain = (body: PrintedReply['body'], requestId: string): PrintedReply => ({
  status: 200,
  headers: ['content-type', 'application/json', 'x-request-id', requestId],
  body,
  ...unbilled(requestId),
})

export async function startEdge({
  host = '127.0.0.1',
  limits,
  routes = [],
  trustedProxies = [],
}: EdgeOptions): Promise<Edge> {
  const server = createServer({
    routes: [...routes, route('GET', '/healthz', () => 'ok')],
    trustedProxies,
    corsOrigins: [],
    limits: { perAddress: 1_000, ...limits },
    notFoundPage: () => Buffer.from(''),
    onInternalError: (error) => {
      throw error
    },
    observer: {
      route: () => ({ begun: () => undefined, replied: () => undefined }),
      unrouted: () => undefined,
    },
  })
  await once(server.listen({ host, port: 0 }), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    open: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A connection that keeps its side open, whatever the other side does. */
export interface Client {
  readonly socket: Socket
  /** Everything that has arrived. */
  text(): string
  isClosed(): boolean
}

export async function openClient(port: number, localAddress = '127.0.0.1'): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  let text = ''
  let isClosed = false
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece
  })
  socket.on('error', () => undefined)
  for (const event of ['end', 'close'] as const)
    socket.once(event, () => {
      isClosed = true
    })
  await once(socket, 'connect')
  return { socket, text: () => text, isClosed: () => isClosed }
}

/** Sends a text on a connection of its own, which the server closes, and returns what came back. */
export async function exchange(port: number, text: string): Promise<string> {
  const client = await openClient(port)
  client.socket.write(text, 'latin1')
  await until(() => client.isClosed(), 'the server closes the connection')
  client.socket.destroy()
  return client.text()
}
