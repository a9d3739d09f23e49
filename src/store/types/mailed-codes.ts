/** One-time codes that are sent by mail, for registrations and password resets. */
import type { Attempt, AttemptLimit } from './attempts.ts'
import type { KeptHash } from './secrets.ts'

/** A mailed code as it is stored; `uid` is what its hash is bound to. */
export interface MailedCode {
  readonly uid: string
  readonly kept: KeptHash
}

/** How long a code is valid, and how soon after it another one may be mailed. */
export interface CodeTerms {
  readonly lifetimeMs: number
  readonly pauseMs: number
}

/** A guess at the codes of an address: counted against `limit`, and against each code that is still valid. */
export interface CodeGuess {
  readonly address: string
  readonly limit: AttemptLimit
  readonly attemptsPerCode: number
}

/** `codes`: those that the guess may be compared with. */
export type CountedGuess = Attempt & { readonly codes: readonly MailedCode[] }
