/** Usage history and its sums, which a replica may answer. */
import { NotCommitted, type Replica, type Runner, type Store } from '../ledger/store/store.ts'
import { type DaysReader, type UsagePage, type UsageQuery, usagePage } from './usage-pages.ts'
import { keepSums, type ReadSums, type UsageSum, usageSums } from './usage-sums.ts'

export interface History {
  usage(query: UsageQuery): Promise<Dated<UsagePage>>
  usageSums(accountId: number): Promise<Dated<readonly UsageSum[]>>
  /** Stores sums of days that are over, so that later reads need not compute them. */
  keepSums(overdue: ReadSums['overdue']): Promise<void>
  close(): Promise<void>
}

/** A result, and how old it is at most if a replica gave it; null: the database itself gave it. */
interface Dated<Result> {
  readonly result: Result
  readonly lagMs: number | null
}

export function historyOf(store: Pick<Store, 'isByDay' | 'reads' | 'run'>): History {
  const reads: DaysReader = { isByDay: store.isByDay, run: store.reads.run }
  const keep = (overdue: ReadSums['overdue']) => keepIn(store, overdue)
  return {
    usage: async (query) => ({ result: await usagePage(reads, query), lagMs: null }),
    async usageSums(accountId) {
      const { overdue, sums } = await reads.run(usageSums, accountId)
      await keep(overdue)
      return { result: sums, lagMs: null }
    },
    keepSums: keep,
    close: async () => undefined,
  }
}

/** Sums that cannot be stored now are computed again by the next read. */
export async function keepIn(store: Runner, overdue: ReadSums['overdue']): Promise<void> {
  if (overdue.length === 0) return
  await store.run(keepSums, overdue).catch((error) => {
    if (!(error instanceof NotCommitted)) throw error
  })
}

/** History from a standby; the database itself answers where the standby cannot. */
export function replicatedHistory(
  replica: Replica,
  store: Pick<Store, 'isByDay' | 'reads' | 'run'>,
): History {
  const own = historyOf(store)
  return {
    async usage(query) {
      const lags: number[] = []
      const onReplica: DaysReader = {
        isByDay: store.isByDay,
        async run(verb, ...args) {
          const read = await replica.read((sql) => verb(sql, ...args))
          if (read === null) throw new Unread()
          lags.push(read.lagMs)
          return read.result
        },
      }
      try {
        return { result: await usagePage(onReplica, query), lagMs: Math.max(...lags) }
      } catch (error) {
        if (!(error instanceof Unread)) throw error
        return await own.usage(query)
      }
    },
    async usageSums(accountId) {
      const read = await replica.read((sql) => usageSums(sql, accountId))
      // The primary stores sums of past days that are missing; afterwards the standby has them, too.
      if (read === null || read.result.overdue.length > 0) return await own.usageSums(accountId)
      return { ...read, result: read.result.sums }
    },
    keepSums: own.keepSums,
    close: () => replica.close(),
  }
}

/** Thrown where the standby cannot be used. */
class Unread extends Error {}

/** The header with the lag in seconds, rounded up to milliseconds; none where the primary has answered. */
export const lagHeader = (lagMs: number | null): string[] =>
  lagMs === null ? [] : ['x-replica-lag', (Math.ceil(lagMs) / 1_000).toFixed(3)]
