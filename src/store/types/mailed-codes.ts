/** One-time codes that are sent by mail, for registrations and password resets. */
import type { Attempt, AttemptLimit } from './attempts.ts'
import type { KeptHash, NewMail } from './secrets.ts'

/** A mailed code as it is stored; `uid` is what its hash is bound to. */
export interface MailedCode {
  readonly uid: string
  readonly kept: KeptHash
}

/** A guess at the codes of an address: counted against `limit`, and against each code that is still valid. */
export interface CodeGuess {
  readonly address: string
  readonly limit: AttemptLimit
  /** Null: any number. */
  readonly attemptsPerCode: number | null
}

/** A mail with a code: written for a decoy recipient where nothing may be sent, so that the work is the same. */
export interface CodeMail {
  readonly mail: NewMail
  /** Requests for a mail, whether or not one is sent. */
  readonly mailLimits: readonly AttemptLimit[]
  readonly lifetimeMs: number
  /** While it runs, no further mail is sent. */
  readonly pause: AttemptLimit
}

/** `codes`: those that the guess may be compared with. */
export type CountedGuess = Attempt & { readonly codes: readonly MailedCode[] }
