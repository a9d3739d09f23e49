/** Endpoints for whoever runs the service: alive, ready, which version. */
import Type from 'typebox'
import { endpoint } from './endpoint.ts'
import { text } from './fields.ts'

export const healthz = endpoint({
  method: 'GET',
  path: '/healthz',
  area: 'Service',
  title: 'Alive',
  summary: 'Answers as long as the process runs.',
  key: 'none',
  query: null,
  input: null,
  output: Type.Object({ status: text('ok') }),
  message: null,
  failures: [],
  example: { input: null, output: { status: 'ok' } },
})

export const readyz = endpoint({
  method: 'GET',
  path: '/readyz',
  area: 'Service',
  title: 'Ready',
  summary:
    'Answers 200 when requests can be served, 503 while the database is away or the service is stopping.',
  key: 'none',
  query: null,
  input: null,
  output: Type.Object({ status: text('ready') }),
  message: null,
  failures: ['unavailable'],
  example: { input: null, output: { status: 'ready' } },
})

export const version = endpoint({
  method: 'GET',
  path: '/version',
  area: 'Service',
  title: 'Version',
  summary: 'Name and version of the running service.',
  key: 'none',
  query: null,
  input: null,
  output: Type.Object({ name: text('quantd'), version: text('version, semantic versioning') }),
  message: null,
  failures: [],
  example: { input: null, output: { name: 'quantd', version: '0.1.0' } },
})
