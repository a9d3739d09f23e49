/** Client of the quantd service for Node ≥ 20.3, browsers, Deno, Bun and edge workers: typed, without dependencies. */
import { type BatchCall, type BatchResults, pathOf, type Send, sendBatch } from './batch.ts'
import { callOf } from './call.ts'
import { type ColumnsInput, type ColumnsResult, sendColumns } from './columns.ts'
import { columnMethods, type Endpoint, endpoints } from './endpoints.ts'
import { ARROW, exchange, type OutgoingRequest, type Reply } from './exchange.ts'
import { withPlainArrays } from './numbers.ts'
import type { BulkOptions, CallOptions, ClientOptions, ColumnsOptions } from './options.ts'
import { repeatable } from './repeat.ts'
import { type Settings, settingsOf } from './settings.ts'
import { standing } from './standing.ts'
import type { ColumnComputations, Computations, Methods, UserUsageData, UserUsageInput } from './types.ts'
import { usageHistory } from './usage.ts'

export type { ProvenCall, PublishedKey, ReceiptOptions } from '../../src/wire/receipt-check/verify.ts'
export { InvalidReceipt, verifyReceipt } from '../../src/wire/receipt-check/verify.ts'
export type { BatchCall, BatchResult, BatchResults } from './batch.ts'
export type { Call, FullReply } from './call.ts'
export type { ColumnsInput, ColumnsResult, RowError } from './columns.ts'
export * from './errors.ts'
export type { FailureCode } from './failure-codes.ts'
export type { NumberArray, Numbers } from './numbers.ts'
export type {
  BulkOptions,
  CallOptions,
  ClientOptions,
  ColumnsOptions,
  DebugEvent,
  Progress,
} from './options.ts'
export type { Standing } from './standing.ts'
export type * from './types.ts'

export type Client = Methods & {
  /** Many calls in as few requests as possible; each result has the type of its call, and failures do not throw. */
  batch<const Calls extends readonly BatchCall[]>(
    calls: Calls,
    options?: BulkOptions,
  ): Promise<BatchResults<Calls>>
  /** Many rows of one computation; lists or typed arrays in, typed arrays out. */
  columns<Name extends keyof ColumnComputations>(
    method: Name,
    columns: ColumnsInput<Name>,
    options?: ColumnsOptions,
  ): Promise<ColumnsResult<Name>>
  /**
   * Sends one request with a table in Arrow's streaming format and returns the result as such a table. Takes the computations
   * that have columns, and those on a matrix or on labels and scores.
   */
  arrow(method: keyof Computations, table: Uint8Array, options?: CallOptions): Promise<Uint8Array>
  /** Every computation of the account, newest first, over all pages. `limit` is the length of a page. */
  usageHistory(
    input?: UserUsageInput,
    options?: CallOptions,
  ): AsyncGenerator<UserUsageData['items'][number], void, void>
  /** A client with the same options and another key. */
  withKey(apiKey: string): Client
}

/**
 * Makes a client. Methods resolve to the reply's `data` and reject with QuantdError. Throws TypeError without a valid address.
 */
export function createClient(options: ClientOptions = {}): Client {
  const settings = settingsOf(options)
  const methods = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => [
    name,
    (...passed: [unknown?, CallOptions?]) => {
      const [input, call] = argumentsOf(endpoint, passed)
      return callOf(endpoint.path, request(options, settings, endpoint, input, call))
    },
  ])
  const send: Send = (path, body, call) =>
    request(options, settings, { kind: 'computation', path, input: true }, body, call)
  const named = Object.fromEntries(methods) as Methods
  return {
    ...named,
    batch: (calls, bulk = {}) => sendBatch(send, calls, bulk),
    columns: (method, columns, bulk = {}) => sendColumns(send, method, columns, bulk),
    arrow: async (method, table, call = {}) =>
      (await send(arrowPathOf(method), table, call)).data as Uint8Array,
    usageHistory: (input = {}, call = {}) => usageHistory(named.userUsage, input, call),
    withKey: (apiKey) => createClient({ ...options, apiKey }),
  }
}

/** The endpoint that takes a table: of a computation of scalars, that of its columns. */
const arrowPathOf = (method: keyof Computations): string =>
  (columnMethods as readonly string[]).includes(method) ? `${pathOf(method)}/columns` : pathOf(method)

/** A method without input takes its options as the first argument. */
function argumentsOf(endpoint: Endpoint, [first, second]: [unknown?, CallOptions?]): [unknown, CallOptions] {
  return endpoint.input ? [first, second ?? {}] : [undefined, (first as CallOptions | undefined) ?? {}]
}

async function request(
  options: ClientOptions,
  settings: Settings,
  endpoint: Endpoint,
  input: unknown,
  call: CallOptions,
): Promise<Reply> {
  const outgoing = outgoingOf(options, settings, endpoint, input, call)
  const { maxWaitMs = 30_000 } = options
  const retries = endpoint.kind === 'change' ? 0 : (call.retries ?? options.retries ?? 3)
  const reply = await repeatable((number) => exchange(outgoing, number), {
    retries,
    maxWaitMs,
    signal: call.signal,
    onRetry: ({ code }, waitMs) => options.debug?.({ type: 'retry', url: outgoing.url.href, code, waitMs }),
  })
  options.onReply?.(standing(endpoint.path, reply.headers))
  return reply
}

/** Made once per call, so that every attempt sends the same bytes with the same Idempotency-Key. */
function outgoingOf(
  options: ClientOptions,
  { apiKey, baseUrl }: Settings,
  endpoint: Endpoint,
  input: unknown,
  call: CallOptions,
): OutgoingRequest {
  const url = new URL(baseUrl + endpoint.path)
  const headers = new Headers({ accept: 'application/json' })
  if (apiKey !== undefined) headers.set('x-api-key', apiKey)
  if (endpoint.kind === 'computation') headers.set('idempotency-key', call.idempotencyKey ?? randomKey())
  const { debug, fetch = globalThis.fetch } = options
  const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? 60_000
  const shared = { url, headers, fetch, debug, timeoutMs, signal: call.signal }
  if (endpoint.kind === 'query') {
    for (const [name, value] of Object.entries(input ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
    return { ...shared, method: 'GET', body: null }
  }
  if (input instanceof Uint8Array) {
    headers.set('content-type', ARROW)
    headers.set('accept', ARROW)
    return { ...shared, method: 'POST', body: input as Uint8Array<ArrayBuffer> }
  }
  headers.set('content-type', 'application/json')
  return { ...shared, method: 'POST', body: JSON.stringify(withPlainArrays(input)) }
}

/** 128 random bits. Browsers provide randomUUID on https only. */
const randomKey = (): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
