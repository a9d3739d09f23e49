/** The options of a client, of a single call, and of many calls at once. */
import type { Standing } from './standing.ts'

export interface ClientOptions {
  /**
   * The service's address, for example `http://127.0.0.1:8080`; it may include a path. Default: the environment variable
   * QUANTD_URL, if the runtime has an environment.
   */
  readonly baseUrl?: string
  /** Sent as X-API-Key. Default: QUANTD_API_KEY. Not needed for endpoints that create or return a key. */
  readonly apiKey?: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** The number of retries after a network error, 429, 502, 503 or 504; computations and queries only. Default 3. */
  readonly retries?: number
  /** The longest wait before a retry; if Retry-After is longer, the call fails at once. Default 30,000. */
  readonly maxWaitMs?: number
  /** The timeout of one attempt. Default 60,000. */
  readonly timeoutMs?: number
  /** Called after every success with the credits and windows of the key. */
  readonly onReply?: (standing: Standing) => void
  /** Called for every request, reply, missing reply and retry; it never gets the key or a body. */
  readonly debug?: (event: DebugEvent) => void
}

export type DebugEvent =
  | { readonly type: 'request'; readonly method: string; readonly url: string; readonly attempt: number }
  | {
      readonly type: 'reply'
      readonly url: string
      readonly status: number
      readonly requestId: string | null
      readonly durationMs: number
    }
  /** There was no reply. */
  | {
      readonly type: 'failure'
      readonly url: string
      readonly code: 'network' | 'timeout'
      readonly durationMs: number
    }
  | { readonly type: 'retry'; readonly url: string; readonly code: string; readonly waitMs: number }

export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Replaces the key that the client generates for each computation. The same key retries a call of an earlier process. */
  readonly idempotencyKey?: string
  /** Replaces the client's. */
  readonly timeoutMs?: number
  /** Replaces the client's. */
  readonly retries?: number
}

/** The options of calls that are sent in several requests, each of which has a key that begins with `idempotencyKey`. */
export interface BulkOptions extends CallOptions {
  /** Calls or rows of one request. Default: 1,000 calls, 50,000 rows. */
  readonly chunk?: number
  /** The number of requests under way at the same time. Default 4. */
  readonly concurrency?: number
  /** Called after each request. */
  readonly onProgress?: (progress: Progress) => void
}

export interface ColumnsOptions extends BulkOptions {
  /** The encoding of requests and replies. Arrow takes a fraction of the time of JSON and keeps every bit. Default json. */
  readonly format?: 'json' | 'arrow'
}

export interface Progress {
  /** Calls or rows that were answered, including failed ones. */
  readonly done: number
  readonly total: number
}
