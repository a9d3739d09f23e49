/** What a client, and a call of it, can be told. */
import type { Standing } from './standing.ts'

export interface ClientOptions {
  /** The service's address, for example `http://127.0.0.1:8080`; a path is kept. */
  readonly baseUrl: string
  /** Sent as X-API-Key. Not needed for endpoints that make or return one. */
  readonly apiKey?: string
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Further tries after a network error, 429, 502, 503 or 504, of computations and queries only; default 3. */
  readonly retries?: number
  /** Longest wait between two tries; a longer Retry-After fails at once. Default 30,000. */
  readonly maxWaitMs?: number
  /** Time one try may take. Default 60,000. */
  readonly timeoutMs?: number
  /** Told after every success how the key stands. */
  readonly onReply?: (standing: Standing) => void
}

export interface CallOptions {
  /** Abandons the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** In place of the one made for each computation: give the same again to repeat a call of an earlier process. */
  readonly idempotencyKey?: string
}
