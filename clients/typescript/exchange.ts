/** One HTTP exchange: sends a request and reads the envelope of the reply. */
import { retryAfterIn } from '../../src/wire/standing.ts'
import { errorOf, QuantdError, type QuantdErrorFields } from './errors.ts'
import type { DebugEvent } from './options.ts'

/** The media type of Arrow's streaming format. */
export const ARROW = 'application/vnd.apache.arrow.stream'

export interface OutgoingRequest {
  readonly fetch: typeof globalThis.fetch
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | null
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly debug: ((event: DebugEvent) => void) | undefined
}

export interface Reply {
  readonly data: unknown
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Resolves to a success; rejects with QuantdError, or with the reason of the caller's signal.
 * @param number the number of the attempt, from 1
 */
export async function exchange(outgoing: OutgoingRequest, number: number): Promise<Reply> {
  const { debug, method, timeoutMs } = outgoing
  const url = outgoing.url.href
  const timeout = AbortSignal.timeout(timeoutMs)
  const startedAt = performance.now()
  debug?.({ type: 'request', method, url, attempt: number })
  try {
    const response = await outgoing.fetch.call(globalThis, outgoing.url, {
      method,
      headers: outgoing.headers,
      body: outgoing.body,
      // A redirection that is followed would send the key to another address.
      redirect: 'manual',
      signal: outgoing.signal === undefined ? timeout : AbortSignal.any([timeout, outgoing.signal]),
    })
    const isArrow = response.ok && response.headers.get('content-type')?.startsWith(ARROW) === true
    const bytes = isArrow ? new Uint8Array(await response.arrayBuffer()) : null
    const text = isArrow ? '' : await response.text()
    const requestId = response.headers.get('x-request-id')
    debug?.({
      type: 'reply',
      url,
      status: response.status,
      requestId,
      durationMs: performance.now() - startedAt,
    })
    if (bytes === null) return read(response, text)
    return { data: bytes, status: response.status, headers: response.headers, text }
  } catch (error) {
    if (error instanceof QuantdError) throw error
    outgoing.signal?.throwIfAborted()
    const code = timeout.aborted ? 'timeout' : 'network'
    debug?.({ type: 'failure', url, code, durationMs: performance.now() - startedAt })
    throw unanswered(
      code,
      code === 'timeout'
        ? `The service did not reply within ${timeoutMs} ms.`
        : `Cannot connect to the service at ${outgoing.url.origin}.`,
      error,
    )
  }
}

const unanswered = (code: 'timeout' | 'network', message: string, cause: unknown) =>
  errorOf(message, {
    code,
    status: 0,
    requestId: null,
    details: [],
    retryAfterSeconds: null,
    cause,
  })

interface Envelope {
  readonly success?: unknown
  readonly message?: unknown
  readonly data?: unknown
  readonly error?: {
    code: QuantdErrorFields['code']
    details?: QuantdErrorFields['details']
    request_id: string
  }
}

function read({ headers, ok, status }: Response, text: string): Reply {
  const envelope = parsed(text)
  if (ok && envelope?.success === true) return { data: envelope.data, status, headers, text }
  const { code = 'reply', details = [], request_id: _, ...numbers } = envelope?.error ?? {}
  const message = typeof envelope?.message === 'string' ? envelope.message : unknownReply(status, headers)
  throw errorOf(message, {
    code,
    status,
    requestId: headers.get('x-request-id'),
    details,
    numbers,
    retryAfterSeconds: retryAfterIn(headers),
  })
}

/** The message for a reply that is not quantd's. Browsers hide the status and headers of a redirection. */
function unknownReply(status: number, headers: Headers): string {
  if (status !== 0 && Math.floor(status / 100) !== 3)
    return `The reply (status ${status}) does not come from quantd.`
  const target = headers.get('location')
  return `The address redirects${target === null ? '' : ` to ${target}`}; use the address of the service itself.`
}

function parsed(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null
  } catch {
    return null
  }
}
