/** The account and key that a request was authenticated as. */
export interface Caller {
  readonly accountId: number
  readonly keyId: number
  readonly isGuest: boolean
}
