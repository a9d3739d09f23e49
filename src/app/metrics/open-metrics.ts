/** The metrics of the service in the Prometheus text format. No label holds a key, an address or an account. */
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
import { buckets, type Kinds, kindsIn, observe, one, type Sample } from './metric-kinds.ts'

export type Metrics = ReturnType<typeof openMetrics>

/** Counting these takes long with many connections; and gauges must not have names that end in `_total`. */
const UNNEEDED = ['handles', 'requests', 'resources'].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
])

export function openMetrics(version: string) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of UNNEEDED) registry.removeSingleMetric(name)
  const kinds = kindsIn(registry)
  kinds.gauge('quantd_build_info', 'Always 1; the label is the running version.', () => [
    { labels: { version }, value: 1 },
  ])
  return {
    ...requestMetrics(kinds),
    /** Adds the metrics of group commits; returns what the meter is to call. */
    ledger: () => ledgerMetrics(kinds),
    /** Adds the metrics of the computing threads; returns the function to call with every waiting time. */
    pool: (load: () => PoolLoad) => poolMetrics(kinds, load),
    /** Adds the metrics that are read from the database. */
    database: (read: () => Promise<StoredState>) => databaseMetrics(kinds, read),
    /** Adds the metrics of the disk and of the rows that requests without a key write. */
    room: (read: () => Room) => roomMetrics(kinds, read),
    text: () => registry.metrics(),
    /** The samples of all metrics. */
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

/** The parts of a reply that are counted. */
interface CountedReply {
  readonly status: number
  readonly code: string | null
  readonly charged: number
  readonly replayed: boolean
}

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const AUTHENTICATION_FAILURES = new Set([
  'api_key_missing',
  'api_key_invalid',
  'account_unverified',
  'guest_key_expired',
  'guest_forbidden',
  'invalid_credentials',
  'otp_invalid',
  'mfa_required',
  'mfa_invalid',
  'key_suspended',
])

type Tally = ReturnType<typeof newTally>

const newTally = (route: string, method: string) => ({
  labels: { method, route },
  byStatus: new Map<number, number>(),
  seconds: buckets(SECONDS),
  credits: 0,
})

interface Counts {
  readonly routes: Tally[]
  /** Requests that no route took. */
  readonly others: Tally
  /** The number of failures by the code in their replies. */
  readonly failures: Map<string, number>
  inFlight: number
  replays: number
}

function requestMetrics(kinds: Kinds) {
  const counts: Counts = {
    routes: [],
    others: newTally('other', 'other'),
    failures: new Map(),
    inFlight: 0,
    replays: 0,
  }
  registerReplies(kinds, counts)
  registerOutcomes(kinds, counts)
  const add = (to: Map<number | string, number>, name: number | string): void => {
    to.set(name, (to.get(name) ?? 0) + 1)
  }
  const count = (tally: Tally, { charged, code, replayed, status }: CountedReply): void => {
    add(tally.byStatus, status)
    tally.credits += charged
    if (code !== null) add(counts.failures, code)
    if (replayed) counts.replays += 1
  }
  return {
    route(path: string, method: string) {
      const tally = newTally(path, method)
      counts.routes.push(tally)
      return {
        begun(): void {
          counts.inFlight += 1
        },
        replied(reply: CountedReply, durationMs: number): void {
          counts.inFlight -= 1
          count(tally, reply)
          observe(tally.seconds, durationMs / 1_000)
        },
      }
    },
    /** Counts the reply to a request that was malformed or has no route. */
    unrouted: (reply: CountedReply): void => count(counts.others, reply),
  }
}

function registerReplies({ counter, gauge, histogram }: Kinds, counts: Counts): void {
  const { others, routes } = counts
  const answered = () => [...routes, others].filter(({ byStatus }) => byStatus.size > 0)
  counter('quantd_http_requests_total', 'Requests that were answered, by route and status.', () =>
    answered().flatMap(({ byStatus, labels }) =>
      [...byStatus].map(([status, value]) => ({ labels: { ...labels, status }, value })),
    ),
  )
  histogram(
    'quantd_http_request_duration_seconds',
    'Time from the head of a request to its reply, by route.',
    () =>
      answered()
        .filter((tally) => tally !== others)
        .map(({ labels, seconds }) => ({ labels, buckets: seconds })),
  )
  gauge('quantd_http_requests_in_flight', 'Requests being answered.', () => one(counts.inFlight))
}

function registerOutcomes({ counter }: Kinds, counts: Counts): void {
  const byCode = () => [...counts.failures].map(([code, value]) => ({ labels: { code }, value }))
  counter('quantd_failures_total', 'Failures by the code in their replies.', byCode)
  counter(
    'quantd_authentication_failures_total',
    'Requests whose key, password or code was refused, by failure code.',
    () => byCode().filter(({ labels }) => AUTHENTICATION_FAILURES.has(labels.code)),
  )
  counter('quantd_credits_charged_total', 'Credits charged for computations, by route.', () =>
    counts.routes
      .filter(({ credits }) => credits > 0)
      .map(({ credits, labels: { route } }) => ({ labels: { route }, value: credits })),
  )
  counter(
    'quantd_idempotent_replays_total',
    'Replies that repeat the result of an Idempotency-Key without a charge.',
    () => one(counts.replays),
  )
}
