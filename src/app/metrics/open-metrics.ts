/** The metrics of the service in the Prometheus text format. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import {
  databaseMetrics,
  ledgerMetrics,
  type PoolLoad,
  poolMetrics,
  type Room,
  roomMetrics,
  type StoredState,
} from './ledger-and-threads.ts'
import { gauge, type Sample } from './metric-kinds.ts'
import { type RequestMetrics, requestMetrics } from './requests.ts'

export interface Metrics extends RequestMetrics {
  /** Adds the metrics of group commits; returns what the meter is to call. */
  ledger(): ReturnType<typeof ledgerMetrics>
  /** Adds the metrics of the computing threads; returns the function to call with every waiting time. */
  pool(load: () => PoolLoad): ReturnType<typeof poolMetrics>
  /** Adds the metrics that are read from the database. */
  database(read: () => Promise<StoredState>): void
  /** Adds the metrics of the disk and of the rows that requests without a key write. */
  room(read: () => Room): void
  text(): Promise<string>
  /** The samples of all metrics. */
  samples(): Promise<{ name: string; labels: Sample['labels']; value: number }[]>
}

/** Counting these takes long with many connections; and gauges must not have names that end in `_total`. */
const UNNEEDED = ['handles', 'requests', 'resources'].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
])

export function openMetrics(version: string): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of UNNEEDED) registry.removeSingleMetric(name)
  gauge(registry, 'quantd_build_info', 'Always 1; the label is the running version.', () => [
    { labels: { version }, value: 1 },
  ])
  return {
    ...requestMetrics(registry),
    ledger: () => ledgerMetrics(registry),
    pool: (load) => poolMetrics(registry, load),
    database: (read) => databaseMetrics(registry, read),
    room: (read) => roomMetrics(registry, read),
    text: () => registry.metrics(),
    async samples() {
      // The samples of a histogram have names of their own.
      const read = (await registry.getMetricsAsJSON()) as {
        name: string
        values: (Sample & { metricName?: string })[]
      }[]
      return read.flatMap(({ name, values }) =>
        values.map(({ labels, metricName = name, value }) => ({ name: metricName, labels, value })),
      )
    },
  }
}
