/** Many calls of any computations, in as few requests as possible; each result has the type of its call. */
import { inChunks } from './bulk.ts'
import { endpoints } from './endpoints.ts'
import { type Detail, errorOf, type QuantdError, type QuantdErrorFields } from './errors.ts'
import { withPlainArrays } from './numbers.ts'
import type { BulkOptions, CallOptions } from './options.ts'
import type { Computations } from './types.ts'

/** One call of a batch, for each name of a computation. */
export type BatchCall = {
  [Name in keyof Computations]: { readonly method: Name; readonly input: Computations[Name]['input'] }
}[keyof Computations]

export type BatchResult<Name extends keyof Computations> =
  | { readonly success: true; readonly data: Computations[Name]['data'] }
  | { readonly success: false; readonly error: QuantdError }

export type BatchResults<Calls extends readonly BatchCall[]> = {
  -readonly [Index in keyof Calls]: BatchResult<Calls[Index]['method']>
}

const CALLS = 1_000

interface WireResult {
  readonly success: boolean
  readonly data?: unknown
  readonly message?: string
  readonly error?: { readonly code: QuantdErrorFields['code']; readonly details?: readonly Detail[] }
}

export type Send = (path: string, body: unknown, options: CallOptions) => Promise<{ data: unknown }>

export async function sendBatch<const Calls extends readonly BatchCall[]>(
  send: Send,
  calls: Calls,
  options: BulkOptions,
): Promise<BatchResults<Calls>> {
  const chunks = await inChunks(calls.length, CALLS, options, async ({ end, idempotencyKey, start }) => {
    const body = {
      calls: calls
        .slice(start, end)
        .map(({ input, method }) => ({ path: pathOf(method), body: withPlainArrays(input) })),
    }
    const { data } = await send('/quantlib/batch', body, ownOptions(options, idempotencyKey))
    return (data as { results: WireResult[] }).results
  })
  return chunks.flat().map(resultOf) as BatchResults<Calls>
}

/** The options of one request of several. */
export function ownOptions(
  { retries, signal, timeoutMs }: BulkOptions,
  idempotencyKey: string | null,
): CallOptions {
  return {
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(retries !== undefined && { retries }),
    ...(idempotencyKey !== null && { idempotencyKey }),
  }
}

export function pathOf(method: string): string {
  const endpoint = (endpoints as Readonly<Record<string, { path: string; kind: string }>>)[method]
  if (endpoint?.kind !== 'computation') throw new TypeError(`There is no computation ${method}.`)
  return endpoint.path
}

const resultOf = ({ data, error, message = '', success }: WireResult): BatchResult<keyof Computations> =>
  success
    ? { success, data: data as Computations[keyof Computations]['data'] }
    : {
        success: false,
        error: errorOf(message, {
          code: error?.code ?? 'reply',
          status: error?.code === undefined ? 200 : 422,
          requestId: null,
          details: error?.details ?? [],
          retryAfterSeconds: null,
        }),
      }
