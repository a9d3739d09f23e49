/** Registered accounts in the Store: registrations, passwords, keys and second factors. */
import type { Tier } from '../../ledger/tiers.ts'
import type { KeyStatus } from '../../ledger/types.ts'
import type {
  Attempt,
  AttemptLimit,
  CountedAttempt,
  EventOrigin,
  KeptHash,
  NewMail,
  Sealed,
  StoredKey,
} from './parts.ts'

/** An account with its present key: the one that is not revoked. Guests have no address, names or password. */
export interface AccountRecord {
  readonly accountId: number
  readonly uid: string
  readonly tier: Tier
  readonly credits: number
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly verified: boolean
  /** The e-mail address as it is compared, and as it was written. */
  readonly address: string | null
  readonly email: string | null
  readonly username: string | null
  readonly fullName: string | null
  readonly passwordHash: string | null
  /** A secret that is not `enabled` still awaits its first code. */
  readonly totp: (Sealed & { readonly enabled: boolean }) | null
  readonly key:
    | (Sealed & {
        readonly keyId: number
        readonly uid: string
        readonly status: KeyStatus
        readonly createdAt: number
      })
    | null
}

/** A code that was mailed, as it is kept; `uid` is what it is bound to. */
export interface MailedCode {
  readonly uid: string
  readonly kept: KeptHash
}

/** How long a code serves, and how soon after it another one may be mailed. */
export interface CodeTerms {
  readonly lifetimeMs: number
  readonly pauseMs: number
}

export interface NewRegistration {
  readonly address: string
  /** The account that `mail` was written for; null: none had the address, and `pending` is to be kept. */
  readonly accountId: number | null
  readonly pending: {
    readonly code: MailedCode
    readonly email: string
    readonly username: string
    readonly fullName: string
    readonly passwordHash: string
    readonly guestKeyId: number | null
  }
  readonly mail: NewMail
  readonly mailLimit: AttemptLimit
  readonly terms: CodeTerms
}

/** A new code for what is known by `uid` of this address; with null nothing is, and nothing is sent. */
export interface RenewedCode {
  readonly address: string
  readonly uid: string | null
  readonly kept: KeptHash
  readonly mail: NewMail
  readonly mailLimit: AttemptLimit
  readonly terms: CodeTerms
}

export interface NewReset {
  readonly address: string
  /** null: no account has the address, and nothing is sent. */
  readonly accountId: number | null
  readonly code: MailedCode
  readonly mail: NewMail
  readonly mailLimit: AttemptLimit
  readonly terms: CodeTerms
}

/** A guess at the codes of an address: counted against `limit`, and against each code that is still alive. */
export interface CodeGuess {
  readonly address: string
  readonly limit: AttemptLimit
  readonly attemptsPerCode: number
}

export type CountedGuess = Attempt & { readonly codes: readonly MailedCode[] }

export interface ConfirmedRegistration {
  readonly address: string
  readonly code: MailedCode
  readonly accountUid: string
  readonly key: StoredKey
  readonly credits: number
  readonly counted: readonly CountedAttempt[]
  readonly event: EventOrigin
  /** Id of the audit row that tells of a guest's takeover. */
  readonly takeoverAuditId: string
}

/** Something that changes an account: who caused it, and the mail that tells its owner. */
export interface AccountChange {
  readonly accountId: number
  readonly event: EventOrigin
  readonly mail: NewMail
}

/** A TOTP secret whose code was right at this step. */
export interface TotpStep {
  readonly accountId: number
  readonly step: number
  readonly counted: readonly CountedAttempt[]
}

export interface AccountStore {
  findAccount(
    who: { readonly accountId: number } | { readonly address: string },
  ): Promise<AccountRecord | null>

  /**
   * Keeps a registration and queues its mail, or only the mail where the address has an account; neither beyond the
   * mail limit. False: whether it has one is not what the caller believed, so nothing was done.
   */
  register(registration: NewRegistration): Promise<boolean>
  /** The newest registration of an address that awaits its code. */
  pendingRegistration(address: string): Promise<{ uid: string; email: string; username: string } | null>
  /** Gives a registration a new code, unless its last one is too young or too many mails went out. */
  renewRegistration(code: RenewedCode): Promise<void>
  /** Counts a guess at the codes of all registrations of an address; returns those it may be compared with. */
  guessRegistration(guess: CodeGuess): Promise<CountedGuess>
  /**
   * Makes the account of a registration whose code was right, takes its guest over and removes the address's other
   * registrations. False: that code is no longer the registration's, or the address has got an account.
   */
  confirmRegistration(confirmed: ConfirmedRegistration): Promise<boolean>

  /** Keeps a reset code and queues its mail, unless the last one is too young or too many mails went out. */
  requestReset(reset: NewReset): Promise<void>
  guessReset(guess: CodeGuess): Promise<CountedGuess>
  /** Sets the password with a reset code that was right. False: that code is used up. */
  finishReset(
    change: AccountChange & {
      readonly code: MailedCode
      readonly passwordHash: string
      readonly counted: readonly CountedAttempt[]
    },
  ): Promise<boolean>
  /** Sets the password in place of `oldHash`. False: that is no longer the account's. */
  changePassword(
    change: AccountChange & { readonly oldHash: string; readonly passwordHash: string },
  ): Promise<boolean>

  /** Notes that a key was shown. Null: it is no longer the account's active key. */
  revealKey(shown: {
    readonly accountId: number
    readonly keyId: number
    readonly event: EventOrigin
  }): Promise<{ credits: number; tier: Tier } | null>
  /** Revokes a key and puts another in its place. False: the old one was not active. */
  replaceKey(change: AccountChange & { readonly oldKeyId: number; readonly key: StoredKey }): Promise<boolean>

  /** Keeps a TOTP secret that awaits its first code. False: a second factor is on. */
  offerTotp(offer: {
    readonly accountId: number
    readonly secret: Sealed
    readonly event: EventOrigin
  }): Promise<boolean>
  /** Switches the second factor on. False: the offered secret is no longer this one. */
  enableTotp(
    change: AccountChange & TotpStep & { readonly secret: Sealed; readonly recoveryCodes: readonly Sealed[] },
  ): Promise<boolean>
  /** Uses a step up. False: it, or a later one, was used before. */
  takeTotpStep(step: TotpStep): Promise<boolean>
  recoveryCodes(accountId: number): Promise<readonly (Sealed & { readonly id: number })[]>
  /** Uses a recovery code up. False: it was used before. */
  takeRecoveryCode(used: {
    readonly accountId: number
    readonly id: number
    readonly counted: readonly CountedAttempt[]
    readonly event: EventOrigin
  }): Promise<boolean>
  /** Switches the second factor off, with its secret and recovery codes. False: it was off. */
  disableTotp(change: AccountChange): Promise<boolean>
}
