/** The HTTP server: maps paths to routes, and catches the errors that no route expects. */
import type { IncomingMessage } from 'node:http'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { nearest } from '../body/nearest.ts'
import { Failure, messages } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import type { Incoming, OnInternalError } from '../pipeline/incoming.ts'
import { failed, type Reply, unsettledReply } from '../pipeline/reply.ts'
import { type ClientIp, clientIpReader, countingSubject } from './client-ip.ts'
import { type Cors, corsFor } from './cors.ts'
import { connectionOf, type Exchange, lengthOf } from './exchange.ts'
import { guardedServers, type ServerLimits } from './guarded-server.ts'
import { JSON_SECURITY } from './security-headers.ts'

/** Something served at a method and a path. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Instead of the security headers of JSON. */
  readonly security?: readonly string[]
  answer(incoming: Incoming): Promise<Reply> | Reply
}

/** Told of requests and replies, for the metrics and the log. */
export interface Observer {
  /** Returns the functions for one route: called when a request begins, and when its reply is known. */
  route(
    path: string,
    method: string,
  ): {
    readonly begun: () => void
    readonly replied: (reply: Reply, durationMs: number) => void
  }
  /** The request was malformed, or no route took it. */
  unrouted(reply: Reply): void
}

export interface ServerOptions {
  readonly routes: readonly Route[]
  readonly trustedProxies: readonly string[]
  /** Origins whose web pages may call the service. */
  readonly corsOrigins: readonly string[]
  /** Only tests lower the other limits. */
  readonly limits: Pick<ServerLimits, 'perAddress'> & Partial<ServerLimits>
  readonly onInternalError: OnInternalError
  readonly observer: Observer
}

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

export function createServer(options: ServerOptions): FastifyInstance {
  const clientIp = clientIpReader(options.trustedProxies)
  const cors = corsFor(options.corsOrigins)
  const refuse = (reply: FastifyReply, refusal: Reply): void => {
    options.observer.unrouted(refusal)
    send(reply, refusal, cors)
  }
  const app = fastify({
    forceCloseConnections: 'idle',
    // While the server closes, requests that arrive on open connections are still answered.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false },
    serverFactory: guardedServers(options.limits, options.trustedProxies, options.observer.unrouted),
    frameworkErrors: (_error, request, reply) => {
      refuse(reply, failed(noSuchPath(pathOf(request), options.routes), requestIdOf(request)))
    },
    // The guarded servers answer malformed requests.
    clientErrorHandler: () => undefined,
  })
  // Before the framework reads the body.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuse(reply, notRouted(request, options.routes, cors))
    else done()
  })
  const parts = { clientIp, cors, ...options }
  for (const route of options.routes) addRoute(app, route, parts)
  app.setErrorHandler((error, request, reply) => {
    refuse(reply, unsettledReply(error, options.onInternalError, requestIdOf(request)))
  })
  return app
}

interface Parts extends ServerOptions {
  readonly clientIp: ClientIp
  readonly cors: Cors | null
}

/**
 * A route answers in `onRequest`, before the framework reads the body: the pipeline reads it itself, after
 * authentication.
 */
function addRoute(app: FastifyInstance, route: Route, parts: Parts): void {
  const { clientIp, cors, observer, onInternalError } = parts
  const { begun, replied } = observer.route(route.path, route.method)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const startedAt = performance.now()
    begun()
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
    replied(result, performance.now() - startedAt)
    send(reply, result, cors, route.security, exchange)
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
  cors: Cors | null,
  security = JSON_SECURITY,
  exchange?: Exchange,
): void {
  reply.hijack()
  const head = headers.concat(security)
  if (cors !== null) head.push(...cors.headers(reply.request.raw.headers.origin))
  // The rest of an unread body is not received: the connection ends.
  if (isBodyUnderWay(reply.request.raw)) head.push('connection', 'close')
  const hasNoBody = status === 304 || status === 204
  const isEmpty = hasNoBody || reply.request.method === 'HEAD'
  const length = lengthOf(body)
  if (!hasNoBody) head.push('content-length', String(length))
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

const NO_QUERY = new URLSearchParams()

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  // The constructor removes one question mark from the beginning; a second one is part of a name.
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start))
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

function notRouted(request: FastifyRequest, routes: readonly Route[], cors: Cors | null): Reply {
  const path = pathOf(request)
  const requestId = requestIdOf(request)
  const methods = routes.filter((route) => route.path === path).map((route) => route.method)
  if (methods.length === 0) return failed(noSuchPath(path, routes), requestId)
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const preflight = cors?.preflight(request.raw, methods, requestId) ?? null
  if (preflight !== null) return preflight
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
