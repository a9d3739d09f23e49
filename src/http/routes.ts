/** Everything the service answers: computations, accounts, its own state, documents and pages. */
import type { Handler } from '../accounts/handler.ts'
import type { Performer } from '../compute/perform.ts'
import { Failure } from '../errors.ts'
import { envelope, type Reply, success } from '../pipeline/reply.ts'
import { type Pipeline, serveComputation } from '../pipeline/serve.ts'
import { accountServer } from '../pipeline/serve-account.ts'
import type { Store } from '../store/store.ts'
import { readiness } from './readiness.ts'
import type { Route } from './server.ts'

/** A page or another file that never changes while the service runs. */
export interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly etag: string
}

export interface RouteParts extends Pipeline {
  readonly store: Store
  readonly performers: ReadonlyMap<string, Performer>
  readonly handlers: readonly Handler[]
  readonly assets: ReadonlyMap<string, Asset>
  readonly ipLimits: boolean
  readonly version: string
  /** Set while the service is on its way down. */
  readonly isStopping: () => boolean
}

export const routes = (parts: RouteParts): Route[] => [
  ...[...parts.performers.values()].map((performer) => computation(parts, performer)),
  ...parts.handlers.map((handler) => account(parts, handler)),
  ...service(parts),
  ...[...parts.assets].map(([path, asset]) => page(path, asset)),
]

const computation = (parts: RouteParts, performer: Performer): Route => ({
  method: 'POST',
  path: performer.path,
  answer: (incoming) => serveComputation(parts, incoming, performer),
})

function account(parts: RouteParts, handler: Handler): Route {
  const { method, path } = handler.endpoint
  return { method, path, answer: accountServer(parts, handler) }
}

const service = ({ store, isStopping, version }: RouteParts): Route[] => {
  const isReady = readiness(() => store.ping())
  return [
    route('/healthz', async () => ({ status: 'ok' })),
    route('/readyz', async () => {
      if (isStopping()) throw stopping()
      await isReady()
      return { status: 'ready' }
    }),
    route('/version', async () => ({ name: 'quantd', version })),
  ]
}

const stopping = () =>
  new Failure('unavailable', 'The service is stopping. Send requests elsewhere for now.', {
    retryAfterSeconds: 5,
  })

const route = (path: string, data: () => Promise<object>): Route => ({
  method: 'GET',
  path,
  answer: async ({ requestId }) => success(envelope(JSON.stringify(await data())), requestId),
})

/** Pages load nothing from elsewhere and are framed by nobody. */
const PAGE_HEADERS = [
  'content-security-policy',
  "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  'cache-control',
  'no-cache',
]

function page(path: string, { body, etag, type }: Asset): Route {
  const own = [...PAGE_HEADERS, 'content-type', type, 'etag', etag]
  return {
    method: 'GET',
    path,
    answer: ({ request, requestId }): Reply => {
      const headers = [...own, 'x-request-id', requestId]
      return request.headers['if-none-match'] === etag
        ? { status: 304, headers, body: '' }
        : { status: 200, headers, body }
    },
  }
}
