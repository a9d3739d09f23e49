/** Watches a node through an outage of its database, as a client and as a load balancer see it. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Outage {
  /** From the kill to the first call that succeeds. */
  readonly seconds: number
  /** The longest that a refused call waited for its reply. */
  readonly longestRefusalMs: number
  readonly refusals: number
  /** Replies that were neither a success nor 503 with Retry-After. */
  readonly wrong: readonly string[]
  /** Whether /readyz has said 503 meanwhile. */
  readonly wasNotReady: boolean
}

const EVERY_MS = 50
const LIMIT_MS = 120_000
const PATH = '/quantlib/economics/utility/log'

/** Calls until one succeeds, so that a guest's few credits suffice. Begin after the kill. */
export async function watchOutage(url: string, apiKey: string, killedAt: number): Promise<Outage> {
  const wrong: string[] = []
  let [refusals, longestRefusalMs, wasNotReady] = [0, 0, false]
  for (;;) {
    const sentAt = performance.now()
    if (sentAt - killedAt > LIMIT_MS) throw new Error(`no call has succeeded for ${LIMIT_MS / 1_000} s`)
    const readiness = status(`${url}/readyz`)
    const call = await fetch(url + PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: '{"wealth":2}',
    })
    const text = await call.text()
    const doneAt = performance.now()
    if ((await readiness) === 503) wasNotReady = true
    if (call.status === 200)
      return { seconds: (doneAt - killedAt) / 1_000, longestRefusalMs, refusals, wrong, wasNotReady }
    refusals += 1
    longestRefusalMs = Math.max(longestRefusalMs, doneAt - sentAt)
    if (call.status !== 503 || call.headers.get('retry-after') === null) wrong.push(`${call.status} ${text}`)
    await sleep(EVERY_MS)
  }
}

/** 0 if a connection that was kept open has just been closed. */
const status = (url: string): Promise<number> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
