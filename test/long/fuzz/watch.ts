/** Measures the latency of /healthz. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openWire } from './wire.ts'

export interface Health {
  readonly longestMs: number
  readonly p99Ms: number
  readonly count: number
}

const REQUEST = Buffer.from('GET /healthz HTTP/1.1\r\nHost: quantd\r\n\r\n')
const EVERY_MS = 20

/** Requests /healthz every 20 ms and records the latency of each reply. */
export function watchHealth(port: number): { stop(): Health } {
  const wire = openWire(port)
  const times: number[] = []
  let isOver = false
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now()
      const reply = await wire.exchange([REQUEST])
      if (reply !== null) times.push(performance.now() - startedAt)
      await sleep(EVERY_MS)
    }
  }
  void watch()
  return {
    stop() {
      isOver = true
      wire.close()
      const sorted = times.sort((a, b) => a - b)
      return {
        longestMs: sorted.at(-1) ?? 0,
        p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        count: sorted.length,
      }
    },
  }
}
