/** Watches a node through an outage of its database, as a client and as a load balancer see it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '../../support/service.ts'

export interface Outage {
  readonly refusals: number
  /** Replies that were neither a success nor 503 with Retry-After. */
  readonly wrong: readonly string[]
  /** Whether /readyz has said 503 meanwhile. */
  readonly wasNotReady: boolean
}

const EVERY_MS = 50
const LIMIT_MS = 120_000
const PATH = '/quantlib/economics/utility/log'

/** Calls until one succeeds, so that a guest's few credits suffice. To be called after the kill. */
export async function watchOutage(url: string, apiKey: string): Promise<Outage> {
  const wrong: string[] = []
  let [refusals, wasNotReady] = [0, false]
  const began = performance.now()
  for (;;) {
    if (performance.now() - began > LIMIT_MS)
      throw new Error(`no call has succeeded for ${LIMIT_MS / 1_000} s`)
    // The request may fail because its kept-alive connection has just been closed.
    const readiness = request(`${url}/readyz`).catch(() => null)
    const { headers, status, text } = await request(url + PATH, { key: apiKey, body: { wealth: 2 } })
    if ((await readiness)?.status === 503) wasNotReady = true
    if (status === 200) return { refusals, wrong, wasNotReady }
    refusals += 1
    if (status !== 503 || headers.get('retry-after') === null) wrong.push(`${status} ${text}`)
    await sleep(EVERY_MS)
  }
}
