/** Credits and usage in the Store. */

export interface UsageItem {
  readonly id: string
  readonly at: number
  readonly path: string
  readonly status: number
  readonly credits: number
  readonly ip: string
  readonly durationMs: number
  readonly requestId: string
}

/** Calls of one path on one day, in days since 1970; the calls of a batch are counted by their own paths. */
export interface UsageSum {
  readonly day: number
  readonly path: string
  readonly calls: number
  readonly credits: number
}

export interface UsageStore {
  /** What an account was given, oldest first: grants and transfers; transfers away are negative. */
  grants(accountId: number): Promise<readonly { at: number; credits: number; reason: string }[]>
  /** Computations of an account and of the guests it took over, newest first, older than `before`. */
  usage(page: {
    readonly accountId: number
    readonly limit: number
    readonly before: { readonly at: number; readonly id: string } | null
  }): Promise<readonly UsageItem[]>
  /** The same rows added up; a day and path may come more than once. */
  usageSums(accountId: number): Promise<readonly UsageSum[]>
}
