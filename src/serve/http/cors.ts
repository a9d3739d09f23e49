/** Cross-origin requests of web pages (Fetch standard, 3.3): allowed to the origins that the operator names, and for MCP to this machine. */
import type { IncomingMessage } from 'node:http'
import { isLoopbackOrigin } from '../../base/hosts.ts'
import { PREFLIGHT_MS } from '../../base/limits/callers.ts'
import { SECOND_MS } from '../../base/time.ts'
import { replyHeaders } from '../../derive/headers.ts'
import { type PrintedReply, unbilled } from './printed-reply.ts'
import { pathOf } from './router.ts'

export interface Cors {
  /** The headers of a reply: names and values alternating. */
  headers(request: IncomingMessage): readonly string[]
  /** The reply to a preflight request; null: the request is none, or its origin is not allowed. */
  preflight(request: IncomingMessage, methods: readonly string[], requestId: string): PrintedReply | null
}

/** Every documented header of a reply. */
const EXPOSED = Object.keys(replyHeaders).join(', ')
const ACCEPTED = [
  ...['Content-Type', 'X-API-Key', 'Idempotency-Key', 'X-Request-Id', 'traceparent', 'tracestate'],
  ...['Authorization', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
]

/** A cache must not answer one origin with the reply to another. */
const VARY = ['vary', 'Origin']

/**
 * API keys are sent in a header, so credentials of the browser are not allowed.
 * @param localPaths paths that the pages of this machine may call, too
 */
export function corsFor(origins: readonly string[], localPaths: ReadonlySet<string>): Cors {
  const headersFor = (origin: string) => [
    ...VARY,
    ...['access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED],
  ]
  const allowed = new Map(origins.map((origin) => [origin, headersFor(origin)]))
  const others = origins.length === 0 ? [] : VARY
  const allowedHeaders = (request: IncomingMessage): readonly string[] | null => {
    const { origin } = request.headers
    if (origin === undefined) return null
    const isLocal = () => localPaths.has(pathOf(request)) && isLoopbackOrigin(origin)
    return allowed.get(origin) ?? (isLocal() ? headersFor(origin) : null)
  }
  return {
    headers: (request) => allowedHeaders(request) ?? others,
    preflight(request, methods, requestId) {
      const { headers, method } = request
      const isAsked = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
      if (!isAsked || methods.length === 0 || allowedHeaders(request) === null) return null
      return {
        status: 204,
        headers: [
          ...['access-control-allow-methods', methods.join(', ')],
          ...['access-control-allow-headers', ACCEPTED.join(', ')],
          ...['access-control-max-age', String(PREFLIGHT_MS / SECOND_MS)],
        ],
        body: '',
        ...unbilled(requestId),
      }
    },
  }
}
