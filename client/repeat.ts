/** Repeats what is safe to repeat, when it may help. */
import { QuantdError } from './errors.ts'

const FIRST_WAIT_MS = 200
const PASSING = [429, 502, 503, 504]

interface Patience {
  readonly retries: number
  readonly maxWaitMs: number
  readonly signal: AbortSignal | undefined
}

/** Tries until success, a failure that lasts, or the last try. Waits as Retry-After says, else twice as long each time. */
export async function repeatable<Result>(
  attempt: () => Promise<Result>,
  patience: Patience,
): Promise<Result> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt()
    } catch (error) {
      if (tried >= patience.retries || !(error instanceof QuantdError) || !mayPass(error)) throw error
      const wait = waitMs(error, tried, patience.maxWaitMs)
      if (wait > patience.maxWaitMs) throw error
      await sleep(wait, patience.signal)
    }
  }
}

const mayPass = ({ code, status }: QuantdError): boolean =>
  code === 'network' || code === 'timeout' || PASSING.includes(status)

/** With jitter, so that many clients that failed together do not come back together. */
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
