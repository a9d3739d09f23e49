/** The HTTP server: maps paths to routes, and catches the errors that no route expects. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { nearest } from '../body/nearest.ts'
import { Failure, messages } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import type { Incoming, OnInternalError } from '../pipeline/incoming.ts'
import { failed, type Reply, unsettledReply } from '../pipeline/reply.ts'
import { type ClientIp, clientIpReader, countingSubject, trustedProxies } from './client-ip.ts'
import { type ConnectionLimits, connectionsThatFit, openConnections } from './connections.ts'
import { connectionOf, type Exchange } from './exchange.ts'
import { connectRefused, faultOf, halfRequest, malformedRequest } from './malformed.ts'
import { REPLY_LIMITS, type ReplyLimits, replyBudget } from './reply-budget.ts'
import { JSON_SECURITY } from './security-headers.ts'
import { type RequestListener, sequentialRequests } from './sequential-requests.ts'

/** Something served at a method and a path. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Instead of the security headers of JSON. */
  readonly security?: readonly string[]
  answer(incoming: Incoming): Promise<Reply> | Reply
}

export interface ServerOptions {
  readonly routes: readonly Route[]
  readonly trustedProxies: readonly string[]
  /** Only tests lower the other limits. */
  readonly limits: Pick<ConnectionLimits, 'perAddress'> & Partial<ServerLimits>
  readonly onInternalError: OnInternalError
  /** Returns a function that is called after every reply of a route, for the metrics. */
  readonly repliesOf: (path: string, method: string) => (status: number, durationMs: number) => void
}

export type ServerLimits = ConnectionLimits & ReplyLimits

const REQUEST_TIMEOUT_MS = 60_000
const KEEP_ALIVE_MS = 72_000
const CHECK_TIMEOUTS_MS = 5_000
const SILENCE_MS = 10_000
const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

export function createServer(options: ServerOptions): FastifyInstance {
  const clientIp = clientIpReader(options.trustedProxies)
  const { close, guard } = edges(options)
  const app = fastify({
    forceCloseConnections: 'idle',
    // While the server closes, requests that arrive on open connections are still answered.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false },
    serverFactory: (handle) => guard(handle),
    frameworkErrors: (_error, request, reply) => {
      send(reply, failed(noSuchPath(pathOf(request), options.routes), requestIdOf(request)))
    },
    // The server that `guard` creates answers malformed requests.
    clientErrorHandler: () => undefined,
  })
  app.addHook('onClose', async () => close())
  // Before the framework reads the body.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) send(reply, notRouted(request, options.routes))
    else done()
  })
  const parts = { clientIp, ...options }
  for (const route of options.routes) addRoute(app, route, parts)
  app.setErrorHandler((error, request, reply) => {
    send(reply, unsettledReply(error, options.onInternalError, requestIdOf(request)))
  })
  return app
}

/** The layer between the sockets and the framework: limits, order of requests, replies to malformed ones. */
function edges({ limits, trustedProxies: proxies }: ServerOptions) {
  const all = { total: connectionsThatFit(), silenceMs: SILENCE_MS, ...REPLY_LIMITS, ...limits }
  const isProxy = trustedProxies(proxies)
  const budget = replyBudget(all)
  const connections = openConnections(all, {
    onHalfRequest: (connection) => connections.end(connection, halfRequest()),
    onLook: budget.endOverdue,
  })
  const guard = (handle: RequestListener): Server => {
    const answerOrRefuse: RequestListener = (request, response) => {
      const fault = faultOf(request)
      if (fault === null) handle(request, response)
      else refuse(response, fault)
    }
    const requests = sequentialRequests(answerOrRefuse, connections, budget)
    const endWith = (socket: Duplex, reply: string): void => {
      const connection = connectionOf(socket)
      if (connection === undefined) socket.destroy()
      else requests.afterLast(connection, () => connections.end(connection, reply))
    }
    const server = createHttpServer({
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
      requireHostHeader: false,
    })
    // A client may close its side of the connection once it has sent its request.
    Object.assign(server, { httpAllowHalfOpen: true })
    return (
      server
        .prependListener('connection', (socket) => {
          if (!connections.open(socket, isProxy(socket.remoteAddress ?? ''))) socket.destroy()
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
    )
  }
  return { close: connections.close, guard }
}

interface Parts extends ServerOptions {
  readonly clientIp: ClientIp
}

/**
 * A route answers in `onRequest`, before the framework reads the body: the pipeline reads it itself, after
 * authentication.
 */
function addRoute(app: FastifyInstance, route: Route, parts: Parts): void {
  const { clientIp, onInternalError, repliesOf } = parts
  const onReply = repliesOf(route.path, route.method)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const startedAt = performance.now()
    const { socket } = request.raw
    const id = uuidv7()
    const ip = clientIp(socket.remoteAddress, forwardedFor(request))
    // The framework calls this hook at once, within the request that its connection has begun.
    const exchange = connectionOf(socket)!.current!
    const incoming: Incoming = {
      request: request.raw,
      path: route.path,
      query: queryOf(request.url),
      id,
      requestId: requestIdOf(request, id),
      ip,
      subject: countingSubject(ip),
      outgoing: exchange,
      startedAt,
    }
    const result = await answered(incoming)
    onReply(result.status, performance.now() - startedAt)
    send(reply, result, route.security, exchange)
  }
  const answered = async (incoming: Incoming): Promise<Reply> => {
    try {
      return await route.answer(incoming)
    } catch (error) {
      return unsettledReply(error, onInternalError, incoming.requestId)
    }
  }
  app.route({ method: route.method, url: route.path, onRequest: answer, handler: () => undefined })
}

/**
 * Writes the reply without the framework's serialisation, which is not needed.
 * @param exchange absent outside of a route
 */
function send(
  reply: FastifyReply,
  { body, headers, status }: Reply,
  security = JSON_SECURITY,
  exchange?: Exchange,
): void {
  reply.hijack()
  const head = headers.concat(security)
  // The rest of an unread body is not received: the connection ends.
  if (isBodyUnderWay(reply.request.raw)) head.push('connection', 'close')
  const isEmpty = status === 304 || reply.request.method === 'HEAD'
  const length = Buffer.byteLength(body as string)
  if (status !== 304) head.push('content-length', String(length))
  reply.raw.writeHead(status, head)
  const content = isEmpty ? '' : body
  // Text of single-byte characters is written together with the head, without being encoded.
  const encoding = length === body.length ? 'latin1' : 'utf8'
  if (exchange === undefined) reply.raw.end(content, encoding)
  else exchange.write(content, encoding)
}

/** A request is not complete before its handlers have run, also when it has no body. */
const isBodyUnderWay = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && ((headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined)

/** The last reply of a connection, without the framework. */
function refuse(response: ServerResponse, { body, headers, status }: Reply): void {
  const length = String(Buffer.byteLength(body as string))
  response.writeHead(status, [...headers, ...JSON_SECURITY, 'connection', 'close', 'content-length', length])
  response.end(body)
}

const NO_QUERY = new URLSearchParams()

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start + 1))
}

/** @param id used where the client sends none */
function requestIdOf(request: FastifyRequest, id = uuidv7()): string {
  const given = request.raw.headers['x-request-id']
  return typeof given === 'string' && CLIENT_REQUEST_ID.test(given) ? given : id
}

function forwardedFor(request: FastifyRequest): string | undefined {
  const header = request.raw.headers['x-forwarded-for']
  return Array.isArray(header) ? header.join(',') : header
}

function notRouted(request: FastifyRequest, routes: readonly Route[]): Reply {
  const path = pathOf(request)
  const requestId = requestIdOf(request)
  const methods = routes.filter((route) => route.path === path).map((route) => route.method)
  if (methods.length === 0) return failed(noSuchPath(path, routes), requestId)
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const message = messages.noSuchMethod(path, methods, request.method)
  const reply = failed(new Failure('method_not_allowed', message), requestId)
  reply.headers.push('allow', allowed.join(', '))
  return reply
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!

/** Longer than every path; the rest of a path is neither compared nor shown. */
const MAX_PATH = 200

/** The message suggests the closest path, if one is similar; repeated and trailing slashes are ignored. */
function noSuchPath(path: string, routes: readonly Route[]): Failure {
  const shown = path.slice(0, MAX_PATH)
  const typed = path.length > MAX_PATH ? null : shown.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  const paths = routes.map((route) => route.path)
  return new Failure(
    'route_not_found',
    messages.noSuchPath(shown, typed === null ? null : nearest(typed, paths)),
  )
}
