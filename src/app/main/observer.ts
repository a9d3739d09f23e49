/** Records each reply in the metrics, in the log if it gets a line there, and among the faults that operators see. */

import { FAULTS_SHOWN } from '../../base/limits/operation.ts'
import type { Fault } from '../../operators/http/endpoint.ts'
import type { PrintedReply } from '../../serve/http/printed-reply.ts'
import type { Observer } from '../../serve/http/server.ts'
import type { AnsweredRequest } from '../log.ts'
import type { Metrics } from '../metrics/open-metrics.ts'

/**
 * @param write writes a line of the log; null: no request gets one
 * @returns `faults`: the last replies with status 500 and above, consecutive equal ones as one
 */
export function observerOf(
  metrics: Pick<Metrics, 'route' | 'unrouted'>,
  write: ((request: AnsweredRequest) => void) | null,
): { readonly observer: Observer; faults(): readonly Fault[] } {
  let faults: readonly Fault[] = []
  const remember = (method: string, path: string, { code, requestId, status }: PrintedReply): void => {
    const [last, ...others] = faults
    const fault = { at: Date.now(), requestId, method, path, status, code: code ?? 'internal' }
    const isSame = last?.path === path && last.code === fault.code && last.method === method
    faults = isSame
      ? [{ ...fault, times: last.times + 1 }, ...others]
      : [{ ...fault, times: 1 }, ...faults].slice(0, FAULTS_SHOWN)
  }
  const observer: Observer = {
    route(path, method) {
      const { begun, replied } = metrics.route(path, method)
      return {
        begun,
        replied(reply, durationMs, client) {
          replied(reply, durationMs)
          if (reply.status >= 500) remember(method, path, reply)
          write?.({ ...factsOf(reply), client, method, path, durationMs })
        },
      }
    },
    unrouted(reply, client = 'unknown') {
      metrics.unrouted(reply)
      // The client chose method and path, which may contain anything, even a key.
      write?.({ ...factsOf(reply), client, method: null, path: null, durationMs: 0 })
    },
  }
  return { observer, faults: () => faults }
}

const factsOf = ({ accountId, charged: credits, code, requestId, status }: PrintedReply) => ({
  requestId,
  accountId,
  status,
  code,
  credits,
})
