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

/** Calls of one path on one day, in days since 1970, or those of a batch with its parts as JSON. */
export interface UsageSum {
  readonly day: number
  readonly path: string
  readonly parts: string | null
  /** Rows added up. */
  readonly rows: number
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
  /** The same rows added up. */
  usageSums(accountId: number): Promise<readonly UsageSum[]>
}
