/** The metrics of the service in the Prometheus text format. */
import cluster from 'node:cluster'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import {
  databaseMetrics,
  ledgerMetrics,
  type PoolLoad,
  poolMetrics,
  type StoredState,
} from './metrics/parts.ts'
import { type RequestMetrics, requestMetrics } from './metrics/requests.ts'
import { gauge } from './metrics/samples.ts'

export interface Metrics extends RequestMetrics {
  /** Adds the metrics of group commits; returns the function to call after each. */
  ledger(): ReturnType<typeof ledgerMetrics>
  /** Adds the metrics of the computing threads; returns the function to call with every waiting time. */
  pool(load: () => PoolLoad): ReturnType<typeof poolMetrics>
  /** Adds the metrics that are read from the database. */
  database(read: () => Promise<StoredState>): void
  text(): Promise<string>
}

/** Gauges whose names end as those of counters do; counting open handles also takes long with many connections. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]
const UNNEEDED = [...MISNAMED, 'nodejs_active_handles', 'nodejs_active_requests', 'nodejs_active_resources']

export function openMetrics(version: string): Metrics {
  const registry = new Registry()
  // With several processes the first one asks each for its counts and adds them up.
  AggregatorRegistry.setRegistries(registry)
  if (cluster.isWorker) new AggregatorRegistry()
  collectDefaultMetrics({ register: registry })
  for (const name of UNNEEDED) registry.removeSingleMetric(name)
  gauge(
    registry,
    { name: 'quantd_build_info', help: 'Always 1; the label is the running version.', aggregator: 'first' },
    () => [{ labels: { version }, value: 1 }],
  )
  return {
    ...requestMetrics(registry),
    ledger: () => ledgerMetrics(registry),
    pool: (load) => poolMetrics(registry, load),
    database: (read) => databaseMetrics(registry, read),
    text: () => registry.metrics(),
  }
}

/** For the first process of a cluster: the sum of the metrics of the others, and those of the ledger, which it writes. */
export function openClusterMetrics(): Pick<Metrics, 'ledger' | 'text'> {
  const gathered = new AggregatorRegistry()
  const own = new Registry()
  return {
    ledger: () => ledgerMetrics(own),
    text: async () => (await gathered.clusterMetrics()) + (await own.metrics()),
  }
}
