/** Whether the database answers: one ping a second, shared by all who ask. */
import { Failure } from '../errors.ts'

export interface ReadinessOptions {
  /** A result is shared for so long. */
  readonly freshMs?: number
  /** A ping that takes longer counts as failed. */
  readonly limitMs?: number
}

const FRESH_MS = 1_000
const LIMIT_MS = 2_000

/**
 * At most one ping is under way, whoever asks and however often. Whoever asks while the last result is fresh gets it at
 * once; whoever asks while a ping is under way gets its result, or a failure when the ping exceeds its limit; while it
 * hangs on after that, everybody gets the failure at once. Rejects with Failure `unavailable`.
 */
export function readiness(
  ping: () => Promise<void>,
  { freshMs = FRESH_MS, limitMs = LIMIT_MS }: ReadinessOptions = {},
): () => Promise<void> {
  let result: Failure | null = null
  let freshUntil = Number.NEGATIVE_INFINITY
  let isUnderWay = false
  let settled: Promise<void> = Promise.resolve()
  const start = (): Promise<void> =>
    new Promise((resolve) => {
      const settle = (failure: Failure | null): void => {
        result = failure
        freshUntil = performance.now() + freshMs
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(
        () => settle(notReady(new Error(`The ping took over ${limitMs} ms`))),
        limitMs,
      ).unref()
      isUnderWay = true
      Promise.resolve()
        .then(ping)
        .then(
          () => settle(null),
          (error) => settle(notReady(error)),
        )
        .finally(() => {
          isUnderWay = false
        })
    })
  return async () => {
    if (performance.now() >= freshUntil) {
      if (!isUnderWay) settled = start()
      await settled
    }
    if (result !== null) throw result
  }
}

const notReady = (cause: unknown) =>
  new Failure('unavailable', 'The database is away. Send requests elsewhere for now.', {
    retryAfterSeconds: 5,
    cause,
  })
