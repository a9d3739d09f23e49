/** One HTTP exchange: sends a request and reads the envelope of the reply. */
import { QuantdError, type QuantdErrorFields } from './errors.ts'

export interface Attempt {
  readonly fetch: typeof globalThis.fetch
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Headers
  readonly body: string | null
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export interface Reply {
  readonly data: unknown
  readonly headers: Headers
}

/** Resolves to a success; rejects with QuantdError, or with the caller's own reason to abort. */
export async function exchange(attempt: Attempt): Promise<Reply> {
  const timeout = AbortSignal.timeout(attempt.timeoutMs)
  try {
    const response = await attempt.fetch.call(globalThis, attempt.url, {
      method: attempt.method,
      headers: attempt.headers,
      body: attempt.body,
      signal: attempt.signal === undefined ? timeout : AbortSignal.any([timeout, attempt.signal]),
    })
    return read(response, await response.text())
  } catch (error) {
    if (error instanceof QuantdError) throw error
    attempt.signal?.throwIfAborted()
    throw timeout.aborted
      ? unanswered('timeout', `The service did not reply within ${attempt.timeoutMs} ms.`, error)
      : unanswered('network', `Cannot connect to the service at ${attempt.url.origin}.`, error)
  }
}

const unanswered = (code: 'timeout' | 'network', message: string, cause: unknown) =>
  new QuantdError(message, {
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
  readonly error?: { code: QuantdErrorFields['code']; details?: QuantdErrorFields['details'] }
}

function read(response: Response, text: string): Reply {
  const envelope = parsed(text)
  if (response.ok && envelope?.success === true) return { data: envelope.data, headers: response.headers }
  const error = envelope?.error
  const message =
    typeof envelope?.message === 'string'
      ? envelope.message
      : `The reply (status ${response.status}) does not come from quantd.`
  throw new QuantdError(message, {
    code: error?.code ?? 'reply',
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    details: error?.details ?? [],
    retryAfterSeconds: seconds(response.headers.get('retry-after')),
  })
}

function parsed(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope | null
  } catch {
    return null
  }
}

/** Retry-After in either of its forms: seconds or a date. */
function seconds(value: string | null): number | null {
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
