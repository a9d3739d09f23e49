/** Cross-origin requests of web pages (Fetch standard, 3.3): allowed to the origins that the operator names. */
import type { IncomingMessage } from 'node:http'
import { PREFLIGHT_MS } from '../../base/limits/callers.ts'
import { SECOND_MS } from '../../base/time.ts'
import { replyHeaders } from '../../derive/headers.ts'
import { type PrintedReply, unbilled } from './printed-reply.ts'

export interface Cors {
  /** The headers of a reply to a request with this Origin header: names and values alternating. */
  headers(origin: string | undefined): readonly string[]
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

/** Returns null if no origin is allowed. API keys are sent in a header, so credentials of the browser are not allowed. */
export function corsFor(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null
  const allowed = new Map(
    origins.map((origin) => [
      origin,
      [...VARY, 'access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED],
    ]),
  )
  return {
    headers: (origin) => allowed.get(origin ?? '') ?? VARY,
    preflight({ headers, method }, methods, requestId) {
      const isAsked = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
      if (!isAsked || methods.length === 0 || !allowed.has(headers.origin ?? '')) return null
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
