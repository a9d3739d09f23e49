/** The facts that the pages need to know of a service: who may get a key, and the costs of computations. */

/** Whether accounts and guest keys may be created, the credits that they start with, and the costs of computations. */
export interface SignUp {
  readonly registration: boolean
  readonly guests: boolean
  readonly initialCredits: { readonly registered: number; readonly guest: number }
  /** The credits of a call by the path of the operation; a path that is absent costs 1. */
  readonly costs: Readonly<Record<string, number>>
  /** Null: codes are not mailed. The pages get only whether it is set. */
  readonly smtpUrl: string | null
  /** The provider, and whether owners of accounts sign on there; null: there is no provider. */
  readonly signOn: { readonly issuer: string; readonly accounts: boolean } | null
}

/** The value of the module sign-up.js. `provider`: the host of the provider at which owners of accounts sign on; null: there is none. */
export function signUpFacts(version: string, { signOn, smtpUrl, ...open }: SignUp) {
  const { costs, guests, initialCredits, registration } = open
  const provider = signOn?.accounts ? new URL(signOn.issuer).host : null
  return { version, costs, guests, initialCredits, registration, sendsMail: smtpUrl !== null, provider }
}
