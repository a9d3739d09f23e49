/** The HTTP server: paths to what answers them, and the one place where an unexpected error is caught. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { Failure } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { failed, type Reply } from '../pipeline/reply.ts'
import type { Incoming } from '../pipeline/serve.ts'
import { type ClientIp, clientIpReader } from './client-ip.ts'
import { endMalformed } from './malformed.ts'

/** Something served at a method and a path. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  answer(incoming: Incoming, query: URLSearchParams): Promise<Reply> | Reply
}

export interface ServerOptions {
  readonly routes: readonly Route[]
  readonly trustedProxies: readonly string[]
  /** Told of every error that is a bug. */
  readonly onInternalError: (error: unknown, requestId: string) => void
  /** What is told of every reply of a route. */
  readonly repliesOf: (path: string, method: string) => (status: number, durationMs: number) => void
}

const REQUEST_TIMEOUT_MS = 60_000
const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/
const FIXED_HEADERS = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer']

export function createServer(options: ServerOptions): FastifyInstance {
  const clientIp = clientIpReader(options.trustedProxies)
  /** By connection, the reply to the last request that could be read from it. */
  const answering: Answering = new WeakMap()
  const app = fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    // While it closes, requests that still arrive on open connections are answered.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false },
    http: { requireHostHeader: false },
    frameworkErrors: (_error, request, reply) => {
      send(reply, failed(notFound(request.url), requestIdOf(request)))
    },
    clientErrorHandler: (error, socket) => endMalformed(socket, error.code, answering.get(socket)),
  })
  // Before the framework would read a body that nobody asked for.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) send(reply, notRouted(request, options.routes))
    else done()
  })
  // An expectation nobody knows is no reason to refuse a request.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  for (const route of options.routes) addRoute(app, route, { clientIp, answering, ...options })
  app.setErrorHandler((error, request, reply) => {
    const requestId = requestIdOf(request)
    options.onInternalError(error, requestId)
    send(reply, failed(internalFailure(error), requestId))
  })
  return app
}

type Answering = WeakMap<Socket, ServerResponse>

interface Parts extends ServerOptions {
  readonly answering: Answering
  readonly clientIp: ClientIp
}

/**
 * A route answers in `onRequest`, before the framework looks at the body: the pipeline reads it itself, after
 * the caller was let in.
 */
function addRoute(app: FastifyInstance, route: Route, parts: Parts): void {
  const { answering, clientIp, onInternalError, repliesOf } = parts
  const onReply = repliesOf(route.path, route.method)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const startedAt = performance.now()
    answering.set(request.raw.socket, reply.raw)
    const id = uuidv7()
    const requestId = requestIdOf(request, id)
    const incoming: Incoming = {
      request: request.raw,
      path: route.path,
      id,
      requestId,
      ip: clientIp(request.raw.socket.remoteAddress, forwardedFor(request)),
    }
    const result = await answered(incoming, queryOf(request.url))
    onReply(result.status, performance.now() - startedAt)
    send(reply, result)
  }
  const answered = async (incoming: Incoming, query: URLSearchParams): Promise<Reply> => {
    try {
      return await route.answer(incoming, query)
    } catch (error) {
      if (error instanceof Failure) return failed(error, incoming.requestId)
      onInternalError(error, incoming.requestId)
      return failed(internalFailure(error), incoming.requestId)
    }
  }
  app.route({ method: route.method, url: route.path, onRequest: answer, handler: () => undefined })
}

/** Writes the reply past the framework's own handling of bodies, which has nothing to add to it. */
function send(reply: FastifyReply, { body, headers, status }: Reply): void {
  reply.hijack()
  const head = headers.concat(FIXED_HEADERS)
  // Nothing is read to no purpose: with a body still under way the connection ends.
  if (!reply.request.raw.complete) head.push('connection', 'close')
  const isEmpty = status === 304 || reply.request.method === 'HEAD'
  const length = Buffer.byteLength(body as string)
  if (status !== 304) head.push('content-length', String(length))
  reply.raw.writeHead(status, head)
  // Text without a wide character goes out together with the head, without being encoded.
  reply.raw.end(isEmpty ? '' : body, length === body.length ? 'latin1' : 'utf8')
}

const NO_QUERY = new URLSearchParams()

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start + 1))
}

/** @param id what to call it where the client did not */
function requestIdOf(request: FastifyRequest, id = uuidv7()): string {
  const given = request.raw.headers['x-request-id']
  return typeof given === 'string' && CLIENT_REQUEST_ID.test(given) ? given : id
}

function forwardedFor(request: FastifyRequest): string | undefined {
  const header = request.raw.headers['x-forwarded-for']
  return Array.isArray(header) ? header.join(',') : header
}

function notRouted(request: FastifyRequest, routes: readonly Route[]): Reply {
  const path = request.url.split('?', 1)[0]!
  const requestId = requestIdOf(request)
  const methods = routes.filter((route) => route.path === path).map((route) => route.method)
  if (methods.length === 0) return failed(notFound(path), requestId)
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  const message = `${path} takes ${methods.join(' or ')}, not ${request.method}.`
  const reply = failed(new Failure('method_not_allowed', message), requestId)
  reply.headers.push('allow', allowed.join(', '))
  return reply
}

const notFound = (url: string) => {
  const path = url.split('?', 1)[0]!.slice(0, 200)
  return new Failure('route_not_found', `There is nothing at ${path}; the endpoints are listed at /docs.`)
}

const internalFailure = (cause: unknown) =>
  new Failure('internal', 'Something went wrong on our side; nothing was charged. Report the request id.', {
    cause,
  })
