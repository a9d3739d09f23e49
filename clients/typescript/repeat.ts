/** Retries calls that are safe to retry, after failures that may be temporary. */
import { QuantdError } from './errors.ts'

const FIRST_WAIT_MS = 200
const PASSING = [429, 502, 503, 504]

interface Patience {
  readonly retries: number
  readonly maxWaitMs: number
  readonly signal: AbortSignal | undefined
  readonly onRetry: (error: QuantdError, waitMs: number) => void
}

/**
 * Retries until a success, a permanent failure, or the last attempt. Waits for Retry-After, otherwise with exponential backoff.
 */
export async function repeatable<Result>(
  attempt: (number: number) => Promise<Result>,
  patience: Patience,
): Promise<Result> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt(tried + 1)
    } catch (error) {
      if (tried >= patience.retries || !(error instanceof QuantdError) || !mayPass(error)) throw error
      const wait = waitMs(error, tried, patience.maxWaitMs)
      if (wait > patience.maxWaitMs) throw error
      patience.onRetry(error, wait)
      await sleep(wait, patience.signal)
    }
  }
}

const mayPass = ({ code, status }: QuantdError): boolean =>
  code === 'network' || code === 'timeout' || PASSING.includes(status)

/** The wait before a retry, with jitter, so that clients that failed at the same time do not retry at the same time. */
function waitMs({ retryAfterSeconds }: QuantdError, tried: number, maxWaitMs: number): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1000
  return Math.min(maxWaitMs, FIRST_WAIT_MS * 2 ** tried) * (0.5 + Math.random() / 2)
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abandon = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abandon)
      resolve()
    }, ms)
    if (signal?.aborted) abandon()
    else signal?.addEventListener('abort', abandon, { once: true })
  })
}
