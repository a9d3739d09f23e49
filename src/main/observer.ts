/** Passes each reply to the metrics and, where it gets a line there, to the log. */
import type { Observer } from '../http/server.ts'
import type { AnsweredRequest } from '../log.ts'
import type { Metrics } from '../metrics.ts'

/** @param write null: no request gets a line */
export function observerOf(
  metrics: Pick<Metrics, 'route' | 'unrouted'>,
  write: ((request: AnsweredRequest) => void) | null,
): Observer {
  return {
    route(path, method) {
      const counted = metrics.route(path, method)
      if (write === null) return counted
      const { begun } = counted
      return {
        begun,
        replied(reply, durationMs, client) {
          counted.replied(reply, durationMs)
          const { accountId, charged: credits, code, requestId, status } = reply
          write({ client, requestId, accountId, method, path, status, code, durationMs, credits })
        },
      }
    },
    unrouted(reply, client = 'unknown') {
      metrics.unrouted(reply)
      const { code, requestId, status } = reply
      // The method and the path are the client's, and may contain anything, a key too.
      write?.({
        client,
        requestId,
        accountId: null,
        method: null,
        path: null,
        status,
        code,
        durationMs: 0,
        credits: 0,
      })
    },
  }
}
