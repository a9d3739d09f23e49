/** Client of the quantd service for Node ≥ 20.3 and browsers: one typed method per endpoint, no dependencies. */
import { type Endpoint, endpoints } from './endpoints.ts'
import { type Attempt, exchange } from './exchange.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import { repeatable } from './repeat.ts'
import { standing } from './standing.ts'
import type { Methods } from './types.ts'

export { type Detail, QuantdError } from './errors.ts'
export type { CallOptions, ClientOptions } from './options.ts'
export type { Standing } from './standing.ts'
export type * from './types.ts'

export type Client = Methods & {
  /** A client with the same options and another key. */
  withKey(apiKey: string): Client
}

/** Makes a client. Methods resolve to the reply's `data` and reject with QuantdError. */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [
    name,
    (...given: [unknown?, CallOptions?]) => call(options, endpoint, ...argumentsOf(endpoint, given)),
  ])
  return {
    ...(Object.fromEntries(methods) as Methods),
    withKey: (apiKey) => createClient({ ...options, apiKey }),
  }
}

/** A method without input takes its options as the first argument. */
function argumentsOf(endpoint: Endpoint, [first, second]: [unknown?, CallOptions?]): [unknown, CallOptions] {
  return endpoint.input ? [first, second ?? {}] : [undefined, (first as CallOptions | undefined) ?? {}]
}

async function call(options: ClientOptions, endpoint: Endpoint, input: unknown, own: CallOptions) {
  const attempt = attemptOf(options, endpoint, input, own)
  const once = () => exchange(attempt)
  const { retries = 3, maxWaitMs = 30_000 } = options
  const reply =
    endpoint.kind === 'change'
      ? await once()
      : await repeatable(once, { retries, maxWaitMs, signal: own.signal })
  options.onReply?.(standing(endpoint.path, reply.headers))
  return reply.data
}

/** Made once per call, so that every attempt sends the same bytes with the same Idempotency-Key. */
function attemptOf(options: ClientOptions, endpoint: Endpoint, input: unknown, own: CallOptions): Attempt {
  const url = new URL(options.baseUrl.replace(/\/+$/, '') + endpoint.path)
  const headers = new Headers({ accept: 'application/json' })
  if (options.apiKey !== undefined) headers.set('x-api-key', options.apiKey)
  if (endpoint.kind === 'computation') headers.set('idempotency-key', own.idempotencyKey ?? randomKey())
  const request = { url, headers, timeoutMs: options.timeoutMs ?? 60_000, signal: own.signal }
  const fetch = options.fetch ?? globalThis.fetch
  if (endpoint.kind === 'query') {
    for (const [name, value] of Object.entries(input ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    return { ...request, fetch, method: 'GET', body: null }
  }
  headers.set('content-type', 'application/json')
  return { ...request, fetch, method: 'POST', body: JSON.stringify(input ?? {}) }
}

/** 128 random bits. Browsers provide randomUUID on https only. */
const randomKey = (): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
