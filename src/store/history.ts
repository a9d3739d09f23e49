/** Usage history and its sums, which a replica may answer. */
import type { Methods } from './methods.ts'
import type { UsagePage, UsageSum, verbs } from './verbs/index.ts'

type Reads = Pick<Methods<typeof verbs>, 'usage' | 'usageSums'>

export interface History {
  usage(page: Parameters<Reads['usage']>[0]): Promise<Dated<UsagePage>>
  usageSums(accountId: number): Promise<Dated<UsageSum[]>>
  close(): Promise<void>
}

/** A result, and how old it is at most if a replica gave it; null: the database itself gave it. */
export interface Dated<Result> {
  readonly result: Result
  readonly lagMs: number | null
}

export const historyOf = (store: Reads): History => ({
  usage: async (page) => ({ result: await store.usage(page), lagMs: null }),
  usageSums: async (accountId) => ({ result: await store.usageSums(accountId), lagMs: null }),
  close: async () => undefined,
})
