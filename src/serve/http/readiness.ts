/** Readiness of the database: one ping at a time, shared by all requests. */
import { notReady } from '../../base/errors/requests.ts'
import { Failure } from '../../base/failure.ts'
import { READINESS_MS } from '../../base/limits/operation.ts'

interface ReadinessOptions {
  /** The time for which a result is shared. */
  readonly freshMs?: number
  /** A ping that takes longer counts as failed. */
  readonly limitMs?: number
}

/**
 * At most one ping runs at a time. A request gets the last result while it is fresh. Otherwise it waits for the ping,
 * which fails at its limit. Until a ping that exceeded its limit returns, every request gets the failure at once. Resolves
 * with the result of the ping. Rejects with Failure `unavailable`.
 */
export function readiness<State>(
  ping: () => Promise<State>,
  { freshMs = READINESS_MS.fresh, limitMs = READINESS_MS.most }: ReadinessOptions = {},
): () => Promise<State> {
  let result: Failure | { readonly state: State }
  let freshUntil = Number.NEGATIVE_INFINITY
  let isUnderWay = false
  let settled: Promise<void> = Promise.resolve()
  const start = (): Promise<void> =>
    new Promise((resolve) => {
      const settle = (settled: typeof result): void => {
        result = settled
        freshUntil = performance.now() + freshMs
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(
        () => settle(cannotCommit(new Error(`The ping took over ${limitMs} ms`))),
        limitMs,
      ).unref()
      isUnderWay = true
      Promise.resolve()
        .then(ping)
        .then(
          (state) => settle({ state }),
          (error) => settle(cannotCommit(error)),
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
    if (result instanceof Failure) throw result
    return result.state
  }
}

const cannotCommit = (cause: unknown) => notReady('The database cannot commit.', cause)
