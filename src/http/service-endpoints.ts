/** The endpoints about the state of the service itself: liveness, readiness, version. */
import Type, { type Static, type TSchema } from 'typebox'
import type { Endpoint } from '../accounts/endpoint.ts'
import type { Replication } from '../store/store.ts'
import { notReady } from './readiness.ts'

export interface ServiceState {
  /** Resolves with how the database replicates. Rejects with Failure `unavailable` while it does not answer. */
  readonly isReady: () => Promise<Replication>
  readonly version: string
  /** Whether the service is shutting down. */
  readonly isStopping: () => boolean
}

export interface ServiceEndpoint<Output extends TSchema = TSchema> extends Endpoint<null, null, Output> {
  /** Returns the `data` of the reply. Throws Failure. */
  handle(state: ServiceState): Promise<Static<Output>>
}

/** Declares a GET endpoint without key and parameters. */
const serviceEndpoint = <Output extends TSchema>(
  own: Pick<ServiceEndpoint<Output>, 'failures' | 'handle' | 'output' | 'path' | 'summary' | 'title'> & {
    readonly example: Static<Output>
  },
): ServiceEndpoint<Output> => ({
  ...own,
  method: 'GET',
  area: 'Service',
  key: 'none',
  query: null,
  input: null,
  message: null,
  example: { input: null, output: own.example },
})

const healthz = serviceEndpoint({
  path: '/healthz',
  title: 'Liveness',
  summary: 'Replies as long as the process runs.',
  output: Type.Object({ status: Type.String({ description: 'ok' }) }),
  failures: [],
  example: { status: 'ok' },
  handle: async () => ({ status: 'ok' }),
})

const readyz = serviceEndpoint({
  path: '/readyz',
  title: 'Readiness',
  summary:
    'Replies 200 if requests can be served, 503 while the database cannot be reached or the service is stopping.',
  output: Type.Object({
    status: Type.String({ description: 'ready' }),
    replication: Type.Union(
      [Type.Literal('none'), Type.Literal('synchronous'), Type.Literal('asynchronous')],
      {
        description:
          'how the database replicates to standbys; asynchronous: a failover may lose calls that were answered',
      },
    ),
  }),
  failures: ['unavailable'],
  example: { status: 'ready', replication: 'none' },
  async handle({ isReady, isStopping }) {
    if (isStopping()) throw notReady('The service is stopping.')
    return { status: 'ready', replication: await isReady() }
  },
})

const version = serviceEndpoint({
  path: '/version',
  title: 'Version',
  summary: 'Name and version of the running service.',
  output: Type.Object({
    name: Type.String({ description: 'quantd' }),
    version: Type.String({ description: 'version, semantic versioning' }),
  }),
  failures: [],
  example: { name: 'quantd', version: '0.1.0' },
  handle: async ({ version }) => ({ name: 'quantd', version }),
})

export const serviceEndpoints: readonly ServiceEndpoint[] = [healthz, readyz, version]
