/** The endpoints about the state of the service itself: liveness, readiness, version. */
import type { Static, TSchema } from 'typebox'
import { Type } from '../../base/type.ts'
import { completed, type Endpoint } from './endpoint.ts'

export type ServiceEndpoint<Output extends TSchema = TSchema> = Endpoint<null, null, Output>

/** Declares a GET endpoint without key and parameters. */
const serviceEndpoint = <Output extends TSchema>({
  example,
  ...own
}: Pick<ServiceEndpoint<Output>, 'output' | 'path' | 'summary' | 'title'> & {
  readonly failures?: ServiceEndpoint['failures']
  readonly example: Static<Output>
}): ServiceEndpoint<Output> =>
  completed({ ...own, area: 'Service', key: 'none', message: null, example: { output: example } }) as never

export const healthz = serviceEndpoint({
  path: '/healthz',
  title: 'Liveness',
  summary: 'Replies as long as the process runs.',
  output: Type.Object({ status: Type.String({ description: 'ok' }) }),
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
  example: { name: 'quantd', version: '0.1.0' },
})

export const keys = serviceEndpoint({
  path: '/.well-known/quantd-keys.json',
  title: 'Keys of receipts',
  summary:
    'The public keys that sign the checkpoints of receipts, the oldest first, with the times at which they sign. Keep them: a receipt is checked against keys that were fetched before.',
  output: Type.Object({
    keys: Type.Array(
      Type.Object({
        id: Type.String({ description: 'first 16 digits of the SHA-256 of the key, hexadecimal' }),
        algorithm: Type.Literal('Ed25519', { description: 'Ed25519' }),
        public_key: Type.String({ description: '32 bytes, base64url' }),
        from: Type.Integer({ description: 'first time at which it signs, in epoch milliseconds' }),
        until: Type.Union([Type.Integer(), Type.Null()], {
          description: 'when another key took its place; null: it signs now',
        }),
      }),
      { description: 'the keys' },
    ),
  }),
  failures: ['unavailable'],
  example: {
    keys: [
      {
        id: '0123456789abcdef',
        algorithm: 'Ed25519',
        public_key: 'ERERERERERERERERERERERERERERERERERERERERERE',
        from: 1767268800000,
        until: null,
      },
    ],
  },
})

export const serviceEndpoints: readonly ServiceEndpoint[] = [healthz, readyz, version, keys]
