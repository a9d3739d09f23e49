/** What the service counts about itself, in the Prometheus text format. */
import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  /** Counts the replies of a route. */
  replies(path: string, method: string): (status: number, durationMs: number) => void
  text(): Promise<string>
}

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30]

export function openMetrics(): Metrics {
  const registry = new Registry()
  // Where there are several processes, the first one asks each what it has counted, and adds it up.
  AggregatorRegistry.setRegistries(registry)
  if (cluster.isWorker) new AggregatorRegistry()
  collectDefaultMetrics({ register: registry })
  const replies = new Counter({
    name: 'quantd_replies_total',
    help: 'Replies by path, method and status.',
    labelNames: ['path', 'method', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'quantd_reply_seconds',
    help: 'Time from the request to its reply, by path.',
    labelNames: ['path'],
    buckets: SECONDS,
    registers: [registry],
  })
  return {
    replies(path, method) {
      const byStatus = new Map<number, Counter.Internal>()
      const duration = durations.labels({ path })
      return (status, durationMs) => {
        let counter = byStatus.get(status)
        if (counter === undefined) {
          counter = replies.labels({ path, method, status })
          byStatus.set(status, counter)
        }
        counter.inc()
        duration.observe(durationMs / 1_000)
      }
    },
    text: () => registry.metrics(),
  }
}

/** What all processes of a cluster count, as text; for its first process. */
export function openClusterMetrics(): () => Promise<string> {
  const gathered = new AggregatorRegistry()
  return () => gathered.clusterMetrics()
}
