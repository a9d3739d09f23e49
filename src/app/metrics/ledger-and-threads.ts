/** Metrics of the parts behind HTTP: computing threads, group commits, the database, mail and the last ledger check. */
import { METRICS_DATABASE_MS } from '../../base/limits/operation.ts'
import type { MeterWatch } from '../../ledger/metering/meter.ts'
import { type Assertion, assertions } from '../../ledger/rules/assertions.ts'
import type { ResultOf } from '../../ledger/store/sql.ts'
import type { monitoredState } from '../../operators/watched-state.ts'
import { buckets, type Kinds, observe, one, type Sample } from './metric-kinds.ts'

export interface PoolLoad {
  readonly threads: number
  readonly running: number
  readonly waiting: number
}

/** The state that only the database knows; ages by its clock. */
export type StoredState = ResultOf<typeof monitoredState>

/** The room that is left for requests without a key; null: it is not known. */
export interface Room {
  readonly freeBytes: number | null
  readonly unpaidRows: number | null
}

const WAIT_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30]
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const GROUP_ENTRIES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** Returns the function to call with the waiting time of every task that begins. */
export function poolMetrics({ gauge, histogram }: Kinds, load: () => PoolLoad): (waitedMs: number) => void {
  const waits = buckets(WAIT_SECONDS)
  const perPool = (name: string, help: string, value: (load: PoolLoad) => number) =>
    gauge(name, help, () => one(value(load())))
  perPool('quantd_compute_threads', 'Tasks that usually run at a time.', ({ threads }) => threads)
  perPool('quantd_compute_tasks_running', 'Tasks that threads compute.', ({ running }) => running)
  perPool('quantd_compute_tasks_waiting', 'Tasks that wait for a thread.', ({ waiting }) => waiting)
  histogram('quantd_compute_wait_seconds', 'Time that tasks waited for a thread.', () => [
    { labels: {}, buckets: waits },
  ])
  return (waitedMs) => observe(waits, waitedMs / 1_000)
}

/** Returns what the meter is to call after every group commit, and with every broken assertion. */
export function ledgerMetrics({ counter, histogram }: Kinds): MeterWatch {
  const sizes = buckets(GROUP_ENTRIES)
  const seconds = buckets(COMMIT_SECONDS)
  let failures = 0
  histogram('quantd_ledger_group_entries', 'Entries that one transaction of the ledger committed.', () => [
    { labels: {}, buckets: sizes },
  ])
  histogram('quantd_ledger_commit_duration_seconds', 'Time of a group commit, until it was durable.', () => [
    { labels: {}, buckets: seconds },
  ])
  counter('quantd_ledger_commit_failures_total', 'Group commits that the database did not confirm.', () =>
    one(failures),
  )
  const broken = new Map((Object.keys(assertions) as Assertion[]).map((assertion) => [assertion, 0]))
  counter(
    'quantd_ledger_broken_assertions_total',
    'Broken assertions of the ledger; their groups were not written.',
    () => [...broken].map(([assertion, value]) => ({ labels: { assertion }, value })),
  )
  return {
    group({ durationMs, entries, isCommitted }) {
      observe(sizes, entries)
      observe(seconds, durationMs / 1_000)
      if (!isCommitted) failures += 1
    },
    broken({ assertion }) {
      broken.set(assertion, broken.get(assertion)! + 1)
    },
  }
}

/** Reads the state once per scrape; while the database does not answer, only `quantd_database_up` has a value. */
export function databaseMetrics({ gauge }: Kinds, read: () => Promise<StoredState>): void {
  let last: Promise<{ state: StoredState; seconds: number } | null> = Promise.resolve(null)
  const refresh = async () => {
    const startedAt = performance.now()
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, METRICS_DATABASE_MS, null).unref()
    })
    const state = await Promise.race([read().catch(() => null), timeout])
    clearTimeout(timer)
    return state === null ? null : { state, seconds: (performance.now() - startedAt) / 1_000 }
  }
  const known = async (value: (state: StoredState, seconds: number) => Sample[]): Promise<Sample[]> => {
    const found = await last
    return found === null ? [] : value(found.state, found.seconds)
  }
  // The registry reads its metrics in the order of their registration, each before awaiting any.
  gauge('quantd_database_up', 'Whether the database answered this scrape.', async () => {
    last = refresh()
    return one((await last) === null ? 0 : 1)
  })
  gauge('quantd_database_round_trip_seconds', 'Time in which the database answered this scrape.', () =>
    known((_state, seconds) => one(seconds)),
  )
  gauge('quantd_mails_waiting', 'Mails in the outbox.', () => known(({ mailsWaiting }) => one(mailsWaiting)))
  gauge('quantd_mails_oldest_age_seconds', 'Age of the oldest mail in the outbox; 0 if it is empty.', () =>
    known(({ oldestMailAgeMs }) => one(oldestMailAgeMs / 1_000)),
  )
  gauge(
    'quantd_ledger_check_timestamp_seconds',
    'Time of the last quantd admin verify-ledger over all accounts; absent if there was none.',
    () => known(({ ledgerCheck }) => (ledgerCheck === null ? [] : one(ledgerCheck.at / 1_000))),
  )
  gauge(
    'quantd_ledger_check_differing_accounts',
    'Accounts whose balance differed from the ledger in that check.',
    () => known(({ ledgerCheck }) => (ledgerCheck === null ? [] : one(ledgerCheck.differing))),
  )
}

export function roomMetrics({ gauge }: Kinds, read: () => Room): void {
  const known = (value: number | null): Sample[] => (value === null ? [] : one(value))
  gauge('quantd_disk_free_bytes', 'Free disk of the volume of the data folder.', () =>
    known(read().freeBytes),
  )
  gauge(
    'quantd_unpaid_rows',
    'Registrations, guests, codes, counters of attempts and mails that the database holds.',
    () => known(read().unpaidRows),
  )
}
