/** The options of a client and of a single call. */
import type { Standing } from './standing.ts'

export interface ClientOptions {
  /** The service's address, for example `http://127.0.0.1:8080`; it may include a path. */
  readonly baseUrl: string
  /** Sent as X-API-Key. Not needed for endpoints that create or return a key. */
  readonly apiKey?: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Retries after a network error, 429, 502, 503 or 504, for computations and queries only. Default 3. */
  readonly retries?: number
  /** Longest wait before a retry; if Retry-After is longer, the call fails at once. Default 30,000. */
  readonly maxWaitMs?: number
  /** Timeout of one attempt. Default 60,000. */
  readonly timeoutMs?: number
  /** Called after every success with the credits and windows of the key. */
  readonly onReply?: (standing: Standing) => void
}

export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Replaces the key generated for each computation; pass the same key to retry a call of an earlier process. */
  readonly idempotencyKey?: string
}
