/** What the ledger decides about: calls, the books they are entered in, and the verdicts. */
import type { FailureCode } from '../errors.ts'
import type { Tier, WindowName } from './tiers.ts'

/** A fixed window that began with the first request in it; `startedAt` 0 when there was none yet. */
export interface Window {
  readonly startedAt: number
  readonly count: number
}

export type KeyStatus = 'active' | 'suspended' | 'revoked'

export interface LedgerKey {
  readonly id: number
  readonly accountId: number
  readonly status: KeyStatus
}

export interface LedgerAccount {
  readonly id: number
  readonly tier: Tier
  readonly balance: number
  readonly verified: boolean
  /** Epoch milliseconds; null: never. */
  readonly expiresAt: number | null
  readonly hourLimit: number | null
  readonly dayLimit: number | null
  readonly minute: Window
  readonly hour: Window
  readonly day: Window
}

/** An Idempotency-Key that a success has bound to its request. */
export interface Binding {
  readonly accountId: number
  readonly idempotencyKey: string
  readonly requestHash: string
  readonly auditId: string
  readonly expiresAt: number
  /** Whether an answer was given again for it: then its debit is never refunded. */
  readonly replayed: boolean
}

/** One use of a key, known before its work begins. */
export interface Call {
  /** Made by the service; the audit row's id. */
  readonly id: string
  readonly accountId: number
  readonly keyId: number
  readonly kind: 'computation' | 'account'
  readonly method: string
  readonly path: string
  readonly ip: string
  readonly requestId: string
  /** Credits the whole call costs when it succeeds. */
  readonly cost: number
  /** Window slots the call takes; more than one for a batch. */
  readonly units: number
  readonly idempotency: { readonly key: string; readonly requestHash: string } | null
}

/** How the work of an admitted call ended. */
export interface Outcome {
  readonly status: number
  readonly code: FailureCode | null
  /** To be charged; 0 for a failure. */
  readonly credits: number
  readonly durationMs: number
  /** For a batch: calls and credits by path, as JSON. */
  readonly parts: string | null
}

/** Proof that a call was counted; what is needed to take the count back. */
export interface Admission {
  readonly replay: boolean
  readonly epoch: string
  readonly hourStartedAt: number
  readonly dayStartedAt: number
}

export type Entry =
  | { readonly step: 'admit'; readonly call: Call }
  /** Admission without counting: would the call pass as things stand? */
  | { readonly step: 'peek'; readonly call: Call }
  | { readonly step: 'settle'; readonly call: Call; readonly admission: Admission; readonly outcome: Outcome }
  /** Admission and settlement in one, for work that was done at once. */
  | { readonly step: 'admitAndSettle'; readonly call: Call; readonly outcome: Outcome }
  /** Noted for the audit: a known key was refused before admission. */
  | {
      readonly step: 'refusal'
      readonly call: Pick<Call, 'accountId' | 'keyId' | 'ip'>
      readonly code: FailureCode
    }

/** Where an account stands after an entry, for the reply's headers. */
export interface Standing {
  readonly now: number
  readonly credits: number
  readonly windows: readonly {
    readonly name: WindowName
    readonly limit: number
    readonly remaining: number
    readonly resetAt: number
  }[]
}

export type Verdict =
  | {
      readonly ok: true
      readonly admission: Admission
      readonly replayed: boolean
      readonly charged: number
      readonly standing: Standing
    }
  | {
      readonly ok: false
      readonly code: FailureCode
      readonly retryAt: number | null
      readonly standing: Standing | null
    }

export interface AuditRow {
  readonly id: string
  readonly at: number
  readonly accountId: number | null
  readonly keyId: number | null
  readonly kind: 'computation' | 'account' | 'event'
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly credits: number
  readonly calls: number
  readonly ip: string
  readonly requestId: string
  readonly durationMs: number
  readonly replayed: boolean
  readonly detail: string | null
}

/** Refusals of a key are counted once per key, IP, code and minute. */
export interface RefusalCount {
  readonly keyId: number
  readonly accountId: number
  readonly ip: string
  readonly code: FailureCode
  readonly minute: number
  readonly count: number
}

/** The part of the books a batch is about, read after its accounts were locked. */
export interface LedgerSnapshot {
  /** The database's clock, epoch milliseconds, read once per batch. */
  readonly now: number
  /** Changes when the database lost what it had not yet made durable. */
  readonly epoch: string
  /** Whether an earlier attempt at this batch had an unknown outcome. */
  readonly again: boolean
  readonly accounts: ReadonlyMap<number, LedgerAccount>
  readonly keys: ReadonlyMap<number, LedgerKey>
  /** By `bindingId`. */
  readonly bindings: ReadonlyMap<string, Binding>
  /** Audit rows of this batch that an earlier attempt of unknown outcome did write. */
  readonly written: ReadonlyMap<string, { readonly credits: number; readonly replayed: boolean }>
}

/** What a batch changes; one aggregated write per table. */
export interface Writes {
  readonly accounts: readonly LedgerAccount[]
  readonly audit: readonly AuditRow[]
  readonly bindings: readonly Binding[]
  readonly refusals: readonly RefusalCount[]
}

export const bindingId = (accountId: number, idempotencyKey: string): string =>
  `${accountId} ${idempotencyKey}`
