/** The account and key that a request was authenticated as, and how they are found. */
export interface Caller {
  readonly accountId: number
  readonly keyId: number
  readonly isGuest: boolean
}

/** Throws Failure with one of the codes of a key. */
export type Authenticate = (apiKey: string, ip: string) => Promise<Caller>
