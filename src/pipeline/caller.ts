/** The account and key that a request was authenticated as, and how they are found. */
export interface Caller {
  readonly accountId: number
  readonly keyId: number
  readonly isGuest: boolean
  /** Null: the account's own key. */
  readonly team: TeamCaller | null
}

/** A team key's lineage, and what its keys may call. */
interface TeamCaller {
  readonly id: number
  /** Paths of computations; null: all. */
  readonly paths: ReadonlySet<string> | null
}

/** Throws Failure with one of the codes of a key. */
export type Authenticate = (apiKey: string, ip: string) => Promise<Caller>
