/** What the command line asks of the Store: changes by an operator, and the steps of a master key rotation. */
import type { Tier } from '../../ledger/tiers.ts'
import type { KeyStatus } from '../../ledger/types.ts'
import type { EventOrigin, Sealed, StoredKey } from './parts.ts'

/** An operator's doing; `actor` is who was logged in at the machine. */
export interface AdminEvent extends EventOrigin {
  readonly actor: string
}

export interface AdminChange {
  readonly accountId: number
  readonly event: AdminEvent
}

/** `unchanged`: it was so already, and nothing was written. */
export type ChangeOutcome = 'changed' | 'unchanged' | 'no_account'

export interface NewAccount {
  readonly uid: string
  /** The e-mail address as it is compared, and as it was written. */
  readonly address: string
  readonly email: string
  readonly username: string
  readonly fullName: string
  readonly passwordHash: string
  readonly tier: Tier
  readonly credits: number
  readonly key: StoredKey
  readonly event: AdminEvent
}

/** Where sealed secrets stand. */
export type SecretKind = 'api_key' | 'totp_secret' | 'recovery_code' | 'mail'

/** A secret with what it is bound to: the uids of key and account, the account's, or the mail's id and recipient. */
export interface KeptSecret extends Sealed {
  readonly id: number | string
  readonly owner: readonly string[]
}

export interface RewrappedSecret {
  readonly id: number | string
  readonly from: Sealed
  readonly to: Sealed
  /** Of an API key: its lookup hash under the new master key. */
  readonly hash: Uint8Array | null
}

/** How many secrets of a kind stand under a master key. */
export interface SecretCount {
  readonly kind: SecretKind
  readonly masterKeyId: string
  readonly count: number
}

/** Mailed codes that still serve, under one master key; they are hashes and cannot be re-wrapped. */
export interface CodeCount {
  readonly masterKeyId: string
  readonly count: number
  /** When the last of them expires. */
  readonly lastsUntil: number
}

export interface AdminStore {
  /** Makes a verified account, without a mail. Null: the address has one. */
  createAccount(account: NewAccount): Promise<{ readonly accountId: number } | null>
  /** Suspends the present key, or lifts its suspension. A revoked key is never touched. */
  setSuspended(change: AdminChange & { readonly suspended: boolean }): Promise<ChangeOutcome | 'no_key'>
  setTier(change: AdminChange & { readonly tier: Tier }): Promise<ChangeOutcome>
  /** An account's own windows; null: those of its tier; undefined: as they are. */
  setLimits(
    change: AdminChange & { readonly hour?: number | null; readonly day?: number | null },
  ): Promise<ChangeOutcome>
  /** Returns the new balance. Null: there is no such account. */
  grantCredits(
    change: AdminChange & { readonly credits: number; readonly note: string },
  ): Promise<number | null>
  /** Switches the second factor off, with its secret and recovery codes. */
  resetSecondFactor(change: AdminChange): Promise<ChangeOutcome>
  /**
   * Deletes an account and the guests it took over, with keys, ledger, secrets, address and waiting mails; audit rows
   * stay. False: there is none.
   */
  deleteAccount(change: AdminChange): Promise<boolean>

  /** Puts secrets in the place of what they were re-wrapped from; returns how many still were that. */
  rewrap(kind: SecretKind, secrets: readonly RewrappedSecret[]): Promise<number>
  /** Ends the mailed codes that are not under this master key; returns how many still served. */
  dropCodes(currentId: string): Promise<number>
  /** Once nothing else stands under another master key: keeps the new fingerprint. Returns what still does. */
  finishRotation(finish: {
    readonly currentId: string
    readonly fact: string
    readonly fingerprint: string
    readonly event: AdminEvent
  }): Promise<readonly SecretCount[]>
}

export interface AccountView {
  readonly accountId: number
  readonly tier: Tier
  readonly credits: number
  readonly email: string | null
  readonly username: string | null
  readonly fullName: string | null
  readonly createdAt: number
  readonly verifiedAt: number | null
  readonly expiresAt: number | null
  readonly hourLimit: number | null
  readonly dayLimit: number | null
  readonly mfaEnabledAt: number | null
  /** The account that took this guest over. */
  readonly linkedTo: number | null
  /** Of the key that is not revoked; else of the newest. */
  readonly keyStatus: KeyStatus | null
  readonly keyCreatedAt: number | null
}

/** One line of the exported audit; a refusal is one per key, IP, code and minute, with its count as `calls`. */
export interface AuditLine {
  readonly at: number
  readonly id: string | null
  readonly accountId: number | null
  readonly keyId: number | null
  readonly kind: 'computation' | 'account' | 'event' | 'refusal'
  readonly method: string | null
  readonly path: string | null
  readonly status: number | null
  readonly code: string | null
  readonly credits: number
  readonly calls: number
  readonly ip: string
  readonly requestId: string | null
  readonly durationMs: number | null
  readonly replayed: number
  readonly detail: string | null
}

export interface AuditRange {
  /** Epoch milliseconds, the first included, the last not. */
  readonly from: number
  readonly to: number
  /** Null: all. */
  readonly accountId: number | null
  readonly limit: number
}

export interface LedgerFault {
  readonly accountId: number
  readonly balance: number
  /** What the ledger and the debits say it should be. */
  readonly expected: number
}

export interface LedgerCheck {
  readonly accounts: number
  readonly credits: number
  readonly faults: readonly LedgerFault[]
  /** SHA-256 over balances, ledger rows and debits, in hexadecimal: equal for equal ledgers. */
  readonly digest: string
}

/** Reads that hold up no writer; each sees the database at one moment. */
export interface AdminReads {
  accountsPage(page: { readonly after: number; readonly limit: number }): Promise<readonly AccountView[]>
  accountView(
    who: { readonly accountId: number } | { readonly address: string },
  ): Promise<(AccountView & { readonly granted: number; readonly spent: number }) | null>
  /** The time of the newest line; 0 when there is none. */
  newestAudit(): Promise<number>
  /** Audit rows in order of time, after the one given. */
  auditPage(
    range: AuditRange & { readonly after: Pick<AuditLine, 'at' | 'id'> | null },
  ): Promise<readonly AuditLine[]>
  /** Counted refusals in order of time, after the one given. */
  refusalPage(
    range: AuditRange & { readonly after: Pick<AuditLine, 'at' | 'keyId' | 'ip' | 'code'> | null },
  ): Promise<readonly AuditLine[]>
  /** Whether balance = grants + transfers + refunds − debits, for all accounts or one. */
  checkLedger(accountId: number | null): Promise<LedgerCheck>
  /** Secrets that are not under this master key, in the order of their ids. */
  secretsPage(page: {
    readonly kind: SecretKind
    readonly currentId: string
    readonly after: number | string | null
    readonly limit: number
  }): Promise<readonly KeptSecret[]>
  secretCounts(): Promise<readonly SecretCount[]>
  codeCounts(): Promise<readonly CodeCount[]>
}
