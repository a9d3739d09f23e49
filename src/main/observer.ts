/** Passes each reply to the metrics and, where it gets a line there, to the log. */
import type { PrintedReply } from '../http/printed-reply.ts'
import type { Observer } from '../http/server.ts'
import { FAULTS_SHOWN } from '../limits/operation.ts'
import type { AnsweredRequest } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Fault } from '../operator/http/endpoint.ts'

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

/** Remembers the last replies with status 500 and above, equal ones in a row as one. */
export function rememberFaults(observer: Observer): {
  readonly observer: Observer
  faults(): readonly Fault[]
} {
  let faults: readonly Fault[] = []
  const remember = (method: string, path: string, { code, requestId, status }: PrintedReply): void => {
    const [last, ...others] = faults
    const fault = { at: Date.now(), requestId, method, path, status, code: code ?? 'internal' }
    const isSame = last?.path === path && last.code === fault.code && last.method === method
    faults = isSame
      ? [{ ...fault, times: last.times + 1 }, ...others]
      : [{ ...fault, times: 1 }, ...faults].slice(0, FAULTS_SHOWN)
  }
  return {
    faults: () => faults,
    observer: {
      ...observer,
      route(path, method) {
        const { begun, replied } = observer.route(path, method)
        return {
          begun,
          replied(reply, durationMs, client) {
            if (reply.status >= 500) remember(method, path, reply)
            replied(reply, durationMs, client)
          },
        }
      },
    },
  }
}
