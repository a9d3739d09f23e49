/** The routes of the service: computations, accounts, its own state, documents and pages. */

import type { Static, TSchema } from 'typebox'
import type { BrowserRoute } from '../../accounts/sign-on/browser-routes.ts'
import { notReady } from '../../base/errors/requests.ts'
import { refuseUnknownParameters } from '../../compute/body/validate.ts'
import {
  healthz,
  keys,
  readyz,
  type ServiceEndpoint,
  version,
} from '../../compute/catalogue/service-endpoints.ts'
import type { Store } from '../../ledger/store/store.ts'
import type { Handler } from '../../protocol/handler.ts'
import { success } from '../../protocol/reply.ts'
import { mcpEndpoint } from '../mcp/endpoint.ts'
import type { McpParts } from '../mcp/tools.ts'
import { serveComputation } from '../pipeline/serve.ts'
import { accountServer } from '../pipeline/serve-account.ts'
import { PAGE_SECURITY, type PrintedReply, unbilled } from './printed-reply.ts'
import { readiness } from './readiness.ts'
import type { Route } from './server.ts'

/** The encodings of pages, that of the smallest pages first, each with the pattern of an Accept-Encoding that accepts it. */
const ENCODINGS = [
  ['br', /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i],
  ['gzip', /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i],
] as const
type Encoding = (typeof ENCODINGS)[number][0]

/** A page or another file. */
export interface Asset {
  readonly type: string
  readonly content: () => Promise<{
    readonly body: Buffer
    readonly encoded: Readonly<Record<Encoding, () => Promise<Buffer>>>
    readonly etag: string
  }>
}

export interface RouteParts extends McpParts {
  readonly store: Pick<Store, 'ping' | 'run'>
  /** By path. The contents follow the plan in force; the paths never change. */
  readonly assets: () => ReadonlyMap<string, Asset>
  /** The keys that sign receipts. */
  readonly signingKeys: () => Promise<Static<typeof keys.output>['keys']>
  /** The routes of sign-on at a provider; empty: owners use passwords. */
  readonly signOn: readonly Route[]
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean
}

export const routes = (parts: RouteParts): Route[] => [
  ...[...parts.computations().keys()].map((path) => computationRoute(parts, path)),
  ...parts.handlers.map((handler) => accountRoute(parts, handler)),
  ...parts.signOn,
  mcpRoute(parts),
  ...serviceRoutes(parts),
  ...[...parts.assets().keys()].map((path) => pageRoute(path, () => parts.assets().get(path)!)),
]

/** The computation is looked up at each request: it has the costs of the plan in force. */
const computationRoute = (parts: RouteParts, path: string): Route => ({
  method: 'POST',
  path,
  answer: (incoming) =>
    serveComputation({ pipeline: parts, incoming, computation: parts.computations().get(path)! }),
})

const accountRoute = (parts: RouteParts, handler: Handler): Route => {
  const { method, path } = handler.endpoint
  return { method, path, answer: accountServer(parts, handler) }
}

function mcpRoute(parts: RouteParts): Route {
  const answer = mcpEndpoint(parts)
  return {
    method: 'POST',
    path: '/mcp',
    isForLocalPages: true,
    answer: async (incoming) => ({ ...unbilled(incoming.requestId), ...(await answer(incoming)) }),
  }
}

function serviceRoutes({ isStopping, signingKeys, sources, store }: RouteParts): Route[] {
  const isReady = readiness(() => store.ping())
  return [
    serviceRoute(healthz, async () => ({ status: 'ok' })),
    serviceRoute(readyz, async () => {
      if (isStopping()) throw notReady('The service is stopping.')
      return { status: 'ready', replication: await isReady() }
    }),
    serviceRoute(keys, async () => ({ keys: await signingKeys() })),
    serviceRoute(version, async () => ({ name: 'quantd', version: sources.version })),
  ]
}

/** @param handle returns the `data` of the reply. Throws Failure. */
const serviceRoute = <Output extends TSchema>(
  { method, path }: ServiceEndpoint<Output>,
  handle: () => Promise<Static<Output>>,
): Route => ({
  method,
  path,
  async answer({ query, requestId }) {
    refuseUnknownParameters(query, [])
    return success(JSON.stringify(await handle()), requestId)
  },
})

/** The route of an address that browsers open. */
export const browserRoute = ({ answer, path }: BrowserRoute): Route => ({
  method: 'GET',
  path,
  security: PAGE_SECURITY,
  answer: async (incoming) => ({ ...unbilled(incoming.requestId), ...(await answer(incoming)) }),
})

/** Whether If-None-Match names a tag. Proxies mark tags as weak, and caches send several at once (RFC 9110, 13.1.2). */
const isAmong = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch === '*' || ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)

export function pageRoute(path: string, assetNow: () => Asset): Route {
  return {
    method: 'GET',
    path,
    security: PAGE_SECURITY,
    answer: async ({ headers: requested, requestId }): Promise<PrintedReply> => {
      const { content, type } = assetNow()
      const fixed = ['cache-control', 'no-cache', 'content-type', type, 'vary', 'accept-encoding']
      const { body, encoded, etag } = await content()
      const [encoding] =
        ENCODINGS.find(([, isAccepted]) => isAccepted.test(requested['accept-encoding'] ?? '')) ?? []
      const tag = encoding === undefined ? etag : etag.replace(/"$/, `-${encoding}"`)
      const headers = [...fixed, 'etag', tag, 'x-request-id', requestId]
      if (isAmong(requested['if-none-match'] ?? '', tag))
        return { status: 304, headers, body: '', ...unbilled(requestId) }
      return encoding === undefined
        ? { status: 200, headers, body, ...unbilled(requestId) }
        : {
            status: 200,
            headers: [...headers, 'content-encoding', encoding],
            body: await encoded[encoding](),
            ...unbilled(requestId),
          }
    },
  }
}
