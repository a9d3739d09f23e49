/** The endpoints about the state of the service itself: liveness, readiness, version. */
import Type, { type Static, type TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'

export type ServiceEndpoint<Output extends TSchema = TSchema> = Endpoint<null, null, Output>

/** Declares a GET endpoint without key and parameters. */
const serviceEndpoint = <Output extends TSchema>(
  own: Pick<ServiceEndpoint<Output>, 'failures' | 'output' | 'path' | 'summary' | 'title'> & {
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

export const healthz = serviceEndpoint({
  path: '/healthz',
  title: 'Liveness',
  summary: 'Replies as long as the process runs.',
  output: Type.Object({ status: Type.String({ description: 'ok' }) }),
  failures: [],
  example: { status: 'ok' },
})

export const readyz = serviceEndpoint({
  path: '/readyz',
  title: 'Readiness',
  summary:
    'Replies 200 if requests can be served, 503 while the database cannot commit or the service is stopping.',
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
})

export const version = serviceEndpoint({
  path: '/version',
  title: 'Version',
  summary: 'Name and version of the running service.',
  output: Type.Object({
    name: Type.String({ description: 'quantd' }),
    version: Type.String({ description: 'version, semantic versioning' }),
  }),
  failures: [],
  example: { name: 'quantd', version: '0.1.0' },
})

export const serviceEndpoints: readonly ServiceEndpoint[] = [healthz, readyz, version]
