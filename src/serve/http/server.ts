/** The HTTP server: gives requests to their routes, and catches the errors that no route expects. */
import type { IncomingMessage, Server } from 'node:http'
import { uuidv7 } from '../../base/ids.ts'
import type { Incoming, OnInternalError, RequestHeaders, Scheme } from '../../protocol/incoming.ts'
import { type Reply, unsettledReply } from '../../protocol/reply.ts'
import { type Address, addressOf, type IsProxy, reportedClient, trustedProxies } from './client-ip.ts'
import { type Cors, corsFor } from './cors.ts'
import { type Exchange, lengthOf } from './exchange.ts'
import { guardedServer, type ServerLimits } from './guarded-server.ts'
import { faultOf, misdirected } from './malformed.ts'
import { failed, JSON_SECURITY, PAGE_SECURITY, type PrintedReply, printed } from './printed-reply.ts'
import { completeChallenge, type ProtectedResource } from './protected-resource.ts'
import { pathOf, type Routed, type Router, routerOf } from './router.ts'

export interface Route extends Routed {
  /** The security headers of its replies; without them, those of JSON. */
  readonly security?: readonly string[]
  /** Whether pages of this machine may call it, besides those of the allowed origins. */
  readonly isForLocalPages?: true
  /** An error that it throws becomes a failure by `unsettledReply`. */
  answer(incoming: Incoming): Promise<Reply | PrintedReply> | PrintedReply
}

/** Records requests and replies in the metrics and the log. */
export interface Observer {
  /** Returns the functions for one route: called when a request begins, and when its reply is known. */
  route(
    path: string,
    method: string,
  ): {
    readonly begun: () => void
    readonly replied: (reply: PrintedReply, durationMs: number, client: string) => void
  }
  /** Records the reply to a request that was malformed or has no route. @param client undefined: its head could not be read */
  unrouted(reply: PrintedReply, client?: string): void
}

interface ServerOptions {
  readonly routes: readonly Route[]
  readonly trustedProxies: readonly string[]
  /** Origins whose web pages may call the service. */
  readonly corsOrigins: readonly string[]
  /** Whose access tokens the service takes; absent or null: nobody's. */
  readonly protectedResource?: ProtectedResource | null
  /** The names besides loopback and its addresses to which it answers; absent: to every name. */
  readonly hostNames?: readonly string[]
  /** Only tests lower the other limits. */
  readonly limits: Pick<ServerLimits, 'perAddress'> & Partial<ServerLimits>
  readonly onInternalError: OnInternalError
  readonly observer: Observer
  /** The page for a browser that opens an unknown address; null: it gets a failure in JSON. */
  readonly notFoundPage: (() => Buffer) | null
}

const localPathsOf = (routes: readonly Route[]): ReadonlySet<string> =>
  new Set(routes.filter(({ isForLocalPages }) => isForLocalPages).map(({ path }) => path))

type Answer = (exchange: Exchange) => Promise<void>

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The pipeline receives bodies itself, after authentication; Node reads nothing of them before. */
export function createServer(options: ServerOptions): Server {
  const { hostNames, limits, observer, onInternalError, routes } = options
  const cors = corsFor(options.corsOrigins, localPathsOf(routes))
  const { protectedResource = null } = options
  const sending = { cors, protectedResource, isClosed: () => !server.listening }
  const isProxy = trustedProxies(options.trustedProxies)
  const answerOf = answering(options, sending, isProxy)
  const router = routerOf(routes.map((route) => ({ ...route, target: answerOf(route) })))
  const receive = (exchange: Exchange): void => {
    const { request } = exchange
    const path = pathOf(request)
    const answer = router.find(path, request.method!)
    const refuse = (refusal: PrintedReply, isLast?: boolean, security = JSON_SECURITY): void => {
      observer.unrouted(refusal, clientOf(exchange, isProxy).subject)
      send(exchange, refusal, sending, security, isLast)
    }
    const fault = faultOf(request) ?? (hostNames === undefined ? null : misdirected(request, hostNames))
    if (fault !== null) refuse(fault, true)
    else if (answer === null) {
      const refusal = notRouted(request, path, router, cors)
      const { notFoundPage } = options
      if (refusal.status === 404 && notFoundPage !== null && isNavigation(request))
        refuse(asPage(refusal, notFoundPage()), undefined, PAGE_SECURITY)
      else refuse(refusal)
    } else
      answer(exchange).catch((error) => {
        // A reply that was sent in part cannot be replaced by another one.
        if (exchange.response.headersSent) exchange.response.destroy()
        else refuse(printed(unsettledReply(error, onInternalError, requestIdOf(request))))
      })
  }
  const server = guardedServer(limits, isProxy, observer.unrouted, receive)
  return server
}

function answering(
  { observer, onInternalError }: ServerOptions,
  sending: Sending,
  isProxy: IsProxy,
): (route: Route) => Answer {
  return (route) => {
    const { path, security } = route
    const { begun, replied } = observer.route(path, route.method)
    const answered = async (incoming: Incoming): Promise<PrintedReply> => {
      try {
        return printed(await route.answer(incoming))
      } catch (error) {
        return printed(unsettledReply(error, onInternalError, incoming.requestId))
      }
    }
    return async (exchange) => {
      const startedAt = performance.now()
      begun()
      const { request } = exchange
      const id = uuidv7()
      const { ip, subject } = clientOf(exchange, isProxy)
      const incoming: Incoming = {
        method: request.method!,
        scheme: schemeOf(exchange),
        headers: request.headers as RequestHeaders,
        body: request,
        caller: null,
        path,
        query: queryOf(request.url!),
        id,
        requestId: requestIdOf(request, id),
        ip,
        subject,
        replyRoom: exchange.room,
        startedAt,
      }
      const reply = await answered(incoming)
      replied(reply, performance.now() - startedAt, subject)
      send(exchange, reply, sending, security)
    }
  }
}

interface Sending {
  readonly cors: Cors
  readonly protectedResource: ProtectedResource | null
  /** Whether the port is closed: each connection ends with its next reply. */
  isClosed(): boolean
}

/** @param isLast whether the reply ends the connection: by default if the port is closed, or a body is not received in full */
function send(
  exchange: Exchange,
  { body, headers, status }: PrintedReply,
  { cors, isClosed, protectedResource }: Sending,
  security = JSON_SECURITY,
  isLast = isClosed() || isBodyUnderWay(exchange.request),
): void {
  const { request, response } = exchange
  const head = headers.concat(security)
  if (protectedResource !== null && (status === 401 || status === 403))
    completeChallenge(head, protectedResource, request, schemeOf(exchange))
  head.push(...cors.headers(request))
  if (isLast) head.push('connection', 'close')
  const hasNoBody = status === 304 || status === 204
  const isEmpty = hasNoBody || request.method === 'HEAD'
  const length = lengthOf(body)
  if (!hasNoBody) head.push('content-length', String(length))
  response.writeHead(status, head)
  // Text of single-byte characters is written together with the head, without being encoded.
  exchange.write(isEmpty ? '' : body, length === body.length ? 'latin1' : 'utf8')
}

/** A request is not `complete` before its handlers have run, even if it has no body. */
const isBodyUnderWay = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && ((headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined)

const NO_QUERY = new URLSearchParams()

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?')
  // The constructor removes one question mark from the beginning; a second one is part of a name.
  return start === -1 ? NO_QUERY : new URLSearchParams(url.slice(start))
}

/** @param id used where the client sends none */
function requestIdOf({ headers }: IncomingMessage, id = uuidv7()): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && CLIENT_REQUEST_ID.test(sent) ? sent : id
}

/** The peer of a connection, or the client that a trusted proxy reports. */
function clientOf({ connection, request }: Exchange, isProxy: IsProxy): Address {
  const { address } = connection
  const forwarded = connection.isProxy ? request.headers['x-forwarded-for'] : undefined
  return forwarded === undefined ? address : addressOf(reportedClient(address.ip, String(forwarded), isProxy))
}

/** Of several proxies, the nearest has written the last value. */
function schemeOf({ connection, request }: Exchange): Scheme {
  const reported = connection.isProxy ? request.headers['x-forwarded-proto'] : undefined
  return /(?:^|,)\s*https\s*$/i.test(String(reported ?? '')) ? 'https' : 'http'
}

/** Only browsers that open an address ask for HTML. */
const isNavigation = ({ headers, method }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '')

function asPage(refusal: PrintedReply, body: Buffer): PrintedReply {
  const headers = ['content-type', 'text/html; charset=utf-8', 'cache-control', 'no-store']
  return { ...refusal, headers: [...headers, 'x-request-id', refusal.requestId], body }
}

function notRouted(request: IncomingMessage, path: string, router: Router<Answer>, cors: Cors): PrintedReply {
  const requestId = requestIdOf(request)
  const methods = router.methods(path)
  const preflight = cors.preflight(request, methods, requestId)
  if (preflight !== null) return preflight
  const reply = failed(router.failure(path, request.method!), requestId)
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  if (methods.length > 0) reply.headers.push('allow', allowed.join(', '))
  return reply
}
