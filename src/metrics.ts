/** The metrics of the service in the Prometheus text format. */
import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, collectDefaultMetrics, type Histogram, Registry } from 'prom-client'

export interface Metrics {
  /** Counts the replies of a route. */
  replies(path: string, method: string): (status: number, durationMs: number) => void
  text(): Promise<string>
}

/** Upper bounds of the histogram's buckets. */
const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30]

export function openMetrics(): Metrics {
  const registry = new Registry()
  // With several processes the first one asks each for its counts and adds them up.
  AggregatorRegistry.setRegistries(registry)
  if (cluster.isWorker) new AggregatorRegistry()
  collectDefaultMetrics({ register: registry })
  const tallies: Tally[] = []
  new Counter({
    name: 'quantd_replies_total',
    help: 'Replies by path, method and status.',
    labelNames: ['path', 'method', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { byStatus, labels } of tallies)
        for (const [status, count] of byStatus) this.inc({ ...labels, status }, count)
    },
  })
  registry.registerMetric(durationsOf(tallies))
  return {
    replies(path, method) {
      const tally = newTally({ path, method })
      tallies.push(tally)
      return (status, durationMs) => count(tally, status, durationMs / 1_000)
    },
    text: () => registry.metrics(),
  }
}

/** The replies of one route. The library's own counters look up their labels at every increment. */
interface Tally {
  readonly labels: { readonly path: string; readonly method: string }
  readonly byStatus: Map<number, number>
  /** Replies per bucket: up to its bound and above the one before; the last counts those above all bounds. */
  readonly within: number[]
  seconds: number
}

const newTally = (labels: Tally['labels']): Tally => ({
  labels,
  byStatus: new Map(),
  within: Array(SECONDS.length + 1).fill(0),
  seconds: 0,
})

function count(tally: Tally, status: number, seconds: number): void {
  tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
  let bucket = 0
  while (bucket < SECONDS.length && seconds > SECONDS[bucket]!) bucket += 1
  tally.within[bucket]! += 1
  tally.seconds += seconds
}

/** A histogram in the registry's form: each bound counts all replies that took no longer. */
function durationsOf(tallies: readonly Tally[]): Histogram {
  const name = 'quantd_reply_seconds'
  const samples = ({ labels, seconds, within }: Tally) => {
    let replies = 0
    const buckets = within.map((count, index) => {
      replies += count
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: SECONDS[index] ?? '+Inf' },
        value: replies,
      }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: seconds },
      { metricName: `${name}_count`, labels, value: replies },
    ]
  }
  const get = async () => ({
    name,
    help: 'Time from the request to its reply, by path and method.',
    type: 'histogram',
    aggregator: 'sum',
    values: tallies.filter(({ byStatus }) => byStatus.size > 0).flatMap(samples),
  })
  return { name, get } as unknown as Histogram
}

/** The sum of the metrics of all processes of a cluster; for its first process. */
export function openClusterMetrics(): () => Promise<string> {
  const gathered = new AggregatorRegistry()
  return () => gathered.clusterMetrics()
}
