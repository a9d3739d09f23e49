/**
 * The causes of alerts: one table, from which Prometheus' rules are made and which the service evaluates by itself. Each row has
 * the expression for Prometheus, and a function that computes the same from the readings of a node.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import type { Readings } from './readings.ts'

export interface Cause {
  readonly name: string
  readonly severity: 'critical' | 'warning'
  /** Each node evaluates what concerns it; one node evaluates what concerns the database that all share. */
  readonly concerns: 'node' | 'database'
  /** The time for which the cause must last. The service's own alert ends when the cause was absent for as long. */
  readonly forMs: number
  readonly comment?: string
  readonly expr: string
  /** The value that exceeds the limit; null: none does. @param nowMs epoch milliseconds */
  readonly tooMuch: (readings: Readings, nowMs: number) => number | null
  /** A Prometheus template. */
  readonly summary: string
  readonly runbook: string
}

const above = (limit: number, value: number | null): number | null =>
  value !== null && value > limit ? value : null
const minutes = (count: number): number => count * MINUTE_MS

const LIMITS = {
  unavailable: 0.05,
  priceSeconds: 0.25,
  commitSeconds: 0.1,
  delaySeconds: 0.1,
  waitSeconds: 5,
  mailSeconds: 900,
  authenticationFailures: 5,
  uncheckedDays: 2,
}
const UNCHECKED_S = (LIMITS.uncheckedDays * DAY_MS) / 1_000

const PRICE = '/quantlib/pricing/bs/price'

/** Both forms of a cause: the present value of a metric is above a limit. */
const valueAbove = (limit: number, metric: string, labels = '') => ({
  expr: `${metric}${labels} > ${limit}`,
  tooMuch: (readings: Readings) => above(limit, readings.now(metric)),
})

/** Both forms of a cause: a quantile of the last five minutes is above a limit. @param route of the requests; absent: all */
const quantileAbove = (limit: number, part: number, metric: string, route?: string) => ({
  expr: `histogram_quantile(${part}, sum by (instance, le) (rate(${metric}_bucket${route === undefined ? '' : `{route="${route}"}`}[5m]))) > ${limit}`,
  tooMuch: (readings: Readings) =>
    above(
      limit,
      readings.quantile(metric, part, minutes(5), (labels) => route === undefined || labels.route === route),
    ),
})

/** The alert about a node that does not answer, which another node sends: see `watch.ts`. */
export const NODE_DOWN: Cause = {
  name: 'QuantdDown',
  severity: 'critical',
  concerns: 'database',
  forMs: minutes(1),
  expr: 'up{job="quantd"} == 0',
  tooMuch: () => null,
  summary: '{{ $labels.instance }} does not answer scrapes.',
  runbook: 'Check the process and its last log lines; start it again with its data folder.',
}

/** The only alert that cannot be sent through the database. */
export const DATABASE_DOWN: Cause = {
  name: 'QuantdDatabaseDown',
  severity: 'critical',
  concerns: 'node',
  forMs: minutes(1),
  expr: 'quantd_database_up == 0',
  tooMuch: (readings) => (readings.now('quantd_database_up') === 0 ? 1 : null),
  summary: '{{ $labels.instance }} gets no answer from its database.',
  runbook:
    'Callers get 503 and are not charged. Restore PostgreSQL, its network or the disk; nodes reconnect by themselves.',
}

export const CAUSES: readonly Cause[] = [
  NODE_DOWN,
  DATABASE_DOWN,
  {
    name: 'QuantdLedgerDiffers',
    severity: 'critical',
    concerns: 'database',
    forMs: 0,
    ...valueAbove(0, 'quantd_ledger_check_differing_accounts'),
    summary: '{{ $value }} balances differ from the ledger.',
    runbook: 'Run quantd admin verify-ledger, keep its output and a backup, and change no balance by hand.',
  },
  {
    name: 'QuantdLedgerNotChecked',
    severity: 'warning',
    concerns: 'database',
    forMs: HOUR_MS,
    comment: 'The second part: a service that has run for two days and was never checked.',
    expr: `time() - quantd_ledger_check_timestamp_seconds > ${LIMITS.uncheckedDays} * 86400 or ((quantd_build_info unless on (instance) quantd_ledger_check_timestamp_seconds) and on (instance) quantd_build_info offset ${LIMITS.uncheckedDays}d)`,
    tooMuch(readings, nowMs) {
      if (readings.now('quantd_database_up') !== 1) return null
      const since =
        readings.now('quantd_ledger_check_timestamp_seconds') ?? readings.now('process_start_time_seconds')
      return since === null ? null : above(UNCHECKED_S, nowMs / 1_000 - since)
    },
    summary: 'The ledger was not checked for two days.',
    runbook: 'Run quantd admin verify-ledger from a daily timer; see its last run.',
  },
  {
    name: 'QuantdInternalErrors',
    severity: 'critical',
    concerns: 'node',
    forMs: 0,
    comment: 'The second part: the series begins with the first failure, so that there is no increase.',
    expr: 'increase(quantd_failures_total{code="internal"}[10m]) > 0 or (quantd_failures_total{code="internal"} > 0 unless quantd_failures_total{code="internal"} offset 10m)',
    tooMuch: (readings) =>
      above(0, readings.grown('quantd_failures_total', minutes(10), ({ code }) => code === 'internal').by),
    summary: '{{ $labels.instance }} answered requests with 500: a bug.',
    runbook:
      'Find "internal error" in the log; its request id leads to the request. Report it with the stack.',
  },
  {
    name: 'QuantdUnavailable',
    severity: 'warning',
    concerns: 'node',
    forMs: minutes(5),
    expr: `sum by (instance) (rate(quantd_failures_total{code=~"unavailable|overloaded"}[5m])) / sum by (instance) (rate(quantd_http_requests_total[5m])) > ${LIMITS.unavailable}`,
    tooMuch(readings) {
      const isAway = ({ code }: { readonly code?: string | number }) =>
        code === 'unavailable' || code === 'overloaded'
      const failures = readings.grown('quantd_failures_total', minutes(5), isAway).by
      const requests = readings.grown('quantd_http_requests_total', minutes(5)).by
      return requests === 0 ? null : above(LIMITS.unavailable, failures / requests)
    },
    summary: '{{ $labels.instance }} answers {{ $value | humanizePercentage }} of its requests with 503.',
    runbook: 'unavailable: look at the database. overloaded: look at queue and threads; add nodes or cores.',
  },
  {
    name: 'QuantdSlow',
    severity: 'warning',
    concerns: 'node',
    forMs: minutes(10),
    ...quantileAbove(LIMITS.priceSeconds, 0.99, 'quantd_http_request_duration_seconds', PRICE),
    summary:
      '{{ $labels.instance }} takes {{ $value | humanizeDuration }} for 1 of 100 Black-Scholes prices.',
    runbook:
      'Compare commit duration, event-loop delay and processor time on the dashboard: the largest is the cause.',
  },
  {
    name: 'QuantdCommitsSlow',
    severity: 'warning',
    concerns: 'node',
    forMs: minutes(10),
    ...quantileAbove(LIMITS.commitSeconds, 0.99, 'quantd_ledger_commit_duration_seconds'),
    summary: '{{ $labels.instance }} takes {{ $value | humanizeDuration }} for 1 of 100 group commits.',
    runbook: "Look at the disk's time for fsync (SQLite, PostgreSQL) and at the network to PostgreSQL.",
  },
  {
    name: 'QuantdCommitsFail',
    severity: 'critical',
    concerns: 'node',
    forMs: minutes(5),
    expr: 'increase(quantd_ledger_commit_failures_total[5m]) > 0',
    tooMuch: (readings) => above(0, readings.grown('quantd_ledger_commit_failures_total', minutes(5)).by),
    summary: '{{ $labels.instance }} cannot commit to the ledger.',
    runbook:
      'Is the disk full or read-only? Does PostgreSQL accept writes? The refused calls were not charged, or are refunded.',
  },
  {
    name: 'QuantdEventLoopDelayed',
    severity: 'warning',
    concerns: 'node',
    forMs: minutes(10),
    ...valueAbove(LIMITS.delaySeconds, 'nodejs_eventloop_lag_p99_seconds', '{job="quantd"}'),
    summary: 'The event loop of {{ $labels.instance }} is delayed by {{ $value | humanizeDuration }}.',
    runbook:
      'The process lacks processor time: look at other programs on the machine, then add nodes or QUANTD_PROCESSES.',
  },
  {
    name: 'QuantdComputeQueueLong',
    severity: 'warning',
    concerns: 'node',
    forMs: minutes(10),
    ...quantileAbove(LIMITS.waitSeconds, 0.9, 'quantd_compute_wait_seconds'),
    summary: '1 of 10 large computations waits {{ $value | humanizeDuration }} on {{ $labels.instance }}.',
    runbook:
      'Add cores and QUANTD_COMPUTE_THREADS, or nodes. Look for one account in the audit that sends most of the work.',
  },
  {
    name: 'QuantdMailsDelayed',
    severity: 'warning',
    concerns: 'database',
    forMs: minutes(5),
    ...valueAbove(LIMITS.mailSeconds, 'quantd_mails_oldest_age_seconds'),
    summary: 'Mails wait for {{ $value | humanizeDuration }}.',
    runbook:
      'Codes do not arrive. Look for "mail not sent" in the log; check the SMTP server and SMTP_URL. No mail is lost.',
  },
  {
    name: 'QuantdAuthenticationFailures',
    severity: 'warning',
    concerns: 'node',
    forMs: minutes(10),
    expr: `sum by (instance) (rate(quantd_authentication_failures_total[10m])) > ${LIMITS.authenticationFailures}`,
    tooMuch(readings) {
      const { by, seconds } = readings.grown('quantd_authentication_failures_total', minutes(10))
      return above(LIMITS.authenticationFailures, by / seconds)
    },
    summary: '{{ $labels.instance }} refuses {{ $value | humanize }} keys, passwords or codes a second.',
    runbook:
      'A misconfigured client or a guessing attack. Unknown keys: lines "requests without an account" of the log name the addresses. Known keys, passwords and codes: quantd admin export-audit --since 1h names accounts and addresses.',
  },
]

/** The summary with its placeholders replaced. */
export const summaryOf = ({ summary }: Cause, node: string, value: number): string =>
  summary
    .replace(' ({{ $labels.lane }})', '')
    .replace('{{ $labels.instance }}', node)
    .replace('does not answer scrapes', 'was not seen for minutes')
    .replace(/\{\{ \$value(?: \| (\w+))? \}\}/, (_, format?: string) =>
      format === 'humanizePercentage'
        ? `${(100 * value).toPrecision(3)} %`
        : `${Number(value.toPrecision(3))}${format === 'humanizeDuration' ? ' s' : ''}`,
    )
