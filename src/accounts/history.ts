/** Usage history and its sums, which a replica may answer. */
import type { Replica } from '../ledger/store/store.ts'
import { type DaysReader, type UsagePage, type UsageQuery, usagePage } from './usage-pages.ts'
import { storedUsageSums, type UsageSum, usageSums } from './usage-sums.ts'

export interface History {
  usage(query: UsageQuery): Promise<Dated<UsagePage>>
  usageSums(accountId: number): Promise<Dated<UsageSum[]>>
  close(): Promise<void>
}

/** A result, and how old it is at most if a replica gave it; null: the database itself gave it. */
interface Dated<Result> {
  readonly result: Result
  readonly lagMs: number | null
}

export const historyOf = (store: DaysReader): History => ({
  usage: async (query) => ({ result: await usagePage(store, query), lagMs: null }),
  usageSums: async (accountId) => ({ result: await store.run(usageSums, accountId), lagMs: null }),
  close: async () => undefined,
})

/** History from a standby; the database itself answers where the standby cannot. */
export function replicatedHistory(replica: Replica, store: DaysReader): History {
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
      const read = await replica.read((sql) => storedUsageSums(sql, accountId))
      // The primary stores sums of past days that are missing; afterwards the standby has them, too.
      if (read === null || read.result === null) return await own.usageSums(accountId)
      return { ...read, result: read.result }
    },
    close: () => replica.close(),
  }
}

/** Thrown where the standby cannot be used. */
class Unread extends Error {}

/** The header with the lag in seconds, rounded up to milliseconds; none where the primary has answered. */
export const lagHeader = (lagMs: number | null): string[] =>
  lagMs === null ? [] : ['x-replica-lag', (Math.ceil(lagMs) / 1_000).toFixed(3)]
