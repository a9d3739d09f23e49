/** The replies of the service to a page: their shape, the request that gives one, and the standing in its headers. */
import type { FailureNumbers } from '../../base/failure.ts'
import { type HeaderSource, limitsIn, retryAfterIn, standingIn } from '../../wire/standing.ts'

export type Standing = ReturnType<typeof standingOf>

export interface Detail {
  readonly path: string
  readonly message: string
}

interface Received {
  /** The HTTP status; 0: there was no reply. */
  readonly status: number
  readonly standing: Standing
}

export interface Success<Data> extends Received {
  readonly success: true
  readonly data: Data
  /** The time from the request to the reply. */
  readonly ms: number
  /** The body; absent where a worker has kept it. */
  readonly text?: string
}

export interface Refusal extends Received {
  readonly success: false
  readonly message: string
  readonly error: FailureNumbers & {
    /** A code of the service; `no_reply`, `cancelled` or `unreadable` where the page has no failure of the service. */
    readonly code: string
    readonly details: readonly Detail[]
    readonly request_id?: string
  }
}

export type Reply<Data> = Success<Data> | Refusal

/** What the worker has received to a call. */
export type WorkerOutcome = { readonly outcome: 'lost' | 'cancelled' } | WorkerReply

interface WorkerReply {
  readonly outcome: 'reply'
  readonly status: number
  readonly ms: number
  readonly standing: Standing
  /** The bytes of the body. */
  readonly size: number
  /** The body of a failure. */
  readonly text?: string
  /** The data of a success without its long lists, which are in `result` and `blob`. */
  readonly data?: unknown
  readonly result?: object
  readonly blob?: Blob
}

/**
 * Sends a request and reads the reply. Never rejects: without a reply the code is `no_reply`, or `cancelled` after the signal has
 * aborted the request.
 * @param read makes the data of a success of its body, if it is not the envelope of the service
 */
export async function exchange<Data>(
  path: string,
  init: RequestInit,
  read?: (text: string, headers: Headers) => Data | null,
): Promise<Reply<Data>> {
  const began = performance.now()
  try {
    const response = await fetch(path, init)
    const { headers, status } = response
    const text = await response.text()
    const ms = performance.now() - began
    const data = read?.(text, headers) ?? null
    const content: Envelope<Data> = data === null ? envelope(text, status) : { success: true, data }
    return { ...content, status, ms, text, standing: standingOf(headers) } as Reply<Data>
  } catch {
    return init.signal?.aborted ? CANCELLED : NO_REPLY
  }
}

/** The content of a body. */
export type Envelope<Data> =
  | Pick<Success<Data>, 'success' | 'data'>
  | Pick<Refusal, 'success' | 'message' | 'error'>

/** Reads a body in JSON. */
export function envelope<Data>(text: string, status: number): Envelope<Data> {
  try {
    return JSON.parse(text)
  } catch {
    return {
      success: false,
      message: `The reply could not be read (status ${status}).`,
      error: { code: 'unreadable', details: [] },
    }
  }
}

const withoutReply = (code: string, message: string): Refusal => ({
  success: false,
  status: 0,
  message,
  error: { code, details: [] },
  standing: standingOf(new Headers()),
})
export const NO_REPLY = withoutReply('no_reply', 'The service cannot be reached.')
export const CANCELLED = withoutReply('cancelled', 'The call was cancelled.')

export function standingOf(headers: HeaderSource) {
  const limits = limitsIn(headers)
  const { windows, ...rest } = standingIn(headers)
  return {
    ...rest,
    windows: windows.map((window) => ({ ...window, limit: limits.get(window.name) ?? null })),
    retryAfterSeconds: retryAfterIn(headers),
    date: headers.get('date'),
  }
}
