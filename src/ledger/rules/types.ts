/** The ledger's types: calls, entries, the snapshot that they are decided on, and verdicts. */
import type { FailureCode } from '../../base/failure.ts'
import type { WebhookEvent } from '../event-types.ts'
import type { Tier, Tiers, Window, WindowName, Work } from './tiers.ts'

export type KeyStatus = 'active' | 'suspended' | 'revoked'

export interface LedgerKey {
  readonly id: number
  readonly accountId: number
  readonly status: KeyStatus
}

/** One of the keys of a team key's lineage; a rotation gives it an end. */
export interface LineageKey {
  readonly keyId: number
  readonly teamKeyId: number
  /** Epoch milliseconds; null: never. */
  readonly endsAt: number | null
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
  /** Processor seconds an hour; null: those of its type. */
  readonly workLimit: number | null
  /** The threshold of the event `credits.low`; null: the snapshot's. */
  readonly lowCredits: number | null
  /** When the soonest lot with credits left expires; null: the account has no such lot. */
  readonly lotsExpireAt: number | null
  readonly minute: Window
  readonly hour: Window
  readonly day: Window
  /** The processor time of its computations, in microseconds. */
  readonly work: Window
}

/** When a cap renews. `total`: never; `day`: at midnight UTC; `month`: at midnight UTC on the first day of the month. */
export type CapPeriod = 'total' | 'day' | 'month'

/** The lineage of a team key, with what decides on a call of one of its keys. Times are epoch milliseconds. */
export interface TeamKey {
  readonly id: number
  readonly accountId: number
  /** Credits that may be spent in a period; null: no cap. */
  readonly creditCap: number | null
  readonly capPeriod: CapPeriod
  /** Credits spent in the period that began at `spentFrom`. */
  readonly spent: number
  readonly spentFrom: number
  readonly spentTotal: number
  /** Requests to computations in an hour; null: only the windows of the account. */
  readonly hourlyLimit: number | null
  readonly hour: Window
  /** Null: never. */
  readonly expiresAt: number | null
  /** To the minute; null: never used. */
  readonly lastUsedAt: number | null
}

/** Credits of one grant that are neither spent nor expired. */
export interface Lot {
  readonly id: number
  readonly accountId: number
  /** The credits of the grant that the lot began with. */
  readonly granted: number
  readonly remaining: number
  /** Credits that had expired with it, less those that reversals of its grant have counted since. */
  readonly expired: number
  /** Epoch milliseconds on the database's clock. */
  readonly expiresAt: number
}

/** An Idempotency-Key that a successful call has bound to its request. */
export interface Binding {
  readonly accountId: number
  readonly idempotencyKey: string
  readonly requestHash: string
  readonly auditId: string
  readonly expiresAt: number
  /** The number of answered repetitions of its request. Once there was one, its debit is never refunded. */
  readonly replays: number
}

/** One use of an API key, before its outcome is known. */
export interface Call {
  /** Made by the service; also the id of the audit row. */
  readonly id: string
  readonly accountId: number
  readonly keyId: number
  /** The lineage of a team key; null: the account's own key. */
  readonly teamKeyId: number | null
  readonly kind: 'computation' | 'account'
  readonly method: string
  readonly path: string
  readonly ip: string
  readonly requestId: string
  /** Credits the whole call costs when it succeeds. */
  readonly cost: number
  readonly idempotency: { readonly key: string; readonly requestHash: string } | null
}

/** The outcome of an admitted call. */
export interface Outcome {
  readonly status: number
  readonly code: FailureCode | null
  /** Credits to charge; 0 for a failure. */
  readonly credits: number
  /** Computations that the audit row counts; more than one for a batch. */
  readonly calls: number
  readonly durationMs: number
  /** The processor time that the call has used, in whole microseconds; absent: none. */
  readonly workMicros?: number
  /** For a batch: calls and credits by path, as JSON. */
  readonly parts: string | null
  /** The content of the audit row (`proofs/content.ts`); absent or null: it has none. */
  readonly content?: string | null
}

/** Proof that a call was admitted, with the starts of the windows that counted it. */
export interface Admission {
  readonly replay: boolean
  readonly epoch: string
  readonly hourStartedAt: number
  readonly dayStartedAt: number
  /** The start of the team key's window. */
  readonly keyHourStartedAt: number
}

/** The number of calls in flight by their cost. */
export type CostsInFlight = ReadonlyMap<number, number>

export type Entry = {
  /**
   * The costs of the account's calls that were admitted before this group and are not settled, as far as the node knows;
   * absent: there are none. They count against the balance at admission.
   */
  readonly inFlight?: CostsInFlight
  /** The part of these that are calls of the team key; they count against the key's cap. */
  readonly keyInFlight?: CostsInFlight
} & (
  | { readonly step: 'admit'; readonly call: Call }
  /**
   * Asks whether the call would be admitted now, without counting it. Before its body is received the request hash is empty,
   * and a bound idempotency key passes.
   */
  | { readonly step: 'peek'; readonly call: Call }
  | { readonly step: 'settle'; readonly call: Call; readonly admission: Admission; readonly outcome: Outcome }
  /** Admission and settlement in one, for a call whose outcome is known. */
  | { readonly step: 'admitAndSettle'; readonly call: Call; readonly outcome: Outcome }
  /** A known key was refused before admission; the audit counts it. */
  | {
      readonly step: 'refusal'
      readonly call: Pick<Call, 'accountId' | 'keyId' | 'teamKeyId' | 'ip'>
      readonly code: FailureCode
    }
)

/** Entries that one transaction decides and writes. */
export interface EntryGroup {
  readonly entries: readonly Entry[]
  /** Whether an earlier attempt at the same entries had an unknown outcome; what that attempt wrote is kept. Default: false. */
  readonly isRepeated?: boolean
}

/** An account's credits and windows after an entry, for the reply's headers. */
export interface Standing {
  readonly now: number
  readonly credits: number
  /** Of the credits, those that the account's calls in flight on this node may take; a call that needs more than there are takes none. */
  readonly inFlight: number
  readonly isGuest: boolean
  /** Processor seconds that the account may use in an hour. */
  readonly workLimit: number
  /** For a team key with a cap: the credits left of it, less those of calls in flight, and when it renews; null: never. */
  readonly cap?: { readonly left: number; readonly resetsAt: number | null }
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
      /** For `rate_limited`: the limit that is used up until `retryAt`. */
      readonly limit?: WindowName | 'replays'
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
  readonly content: string | null
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

/** The rows that a group of entries is decided on, read after its accounts were locked. */
export interface LedgerSnapshot {
  /** The database's clock in epoch milliseconds, read once per group. */
  readonly now: number
  /** Identifies the run of the database server; changes when it may have lost unforced writes. */
  readonly epoch: string
  /** Whether an earlier attempt at this group had an unknown outcome. */
  readonly isRepeated: boolean
  /** The limits of accounts that have none of their own. */
  readonly tiers: Tiers
  /** Processor seconds an hour of accounts that have no limit of their own. */
  readonly work: Work
  /** The threshold of `credits.low` for accounts without one of their own; 0: none. */
  readonly lowCredits: number
  readonly accounts: ReadonlyMap<number, LedgerAccount>
  readonly keys: ReadonlyMap<number, LedgerKey>
  /** The lineages of the group's team keys. */
  readonly teamKeys: ReadonlyMap<number, TeamKey>
  /** By the id of the key. */
  readonly lineageKeys: ReadonlyMap<number, LineageKey>
  /** By account, in the order of expiry; only for accounts whose `lotsExpireAt` is not null. */
  readonly lots: ReadonlyMap<number, readonly Lot[]>
  /** By `bindingId`. */
  readonly bindings: ReadonlyMap<string, Binding>
  /** Audit rows of this group that an earlier attempt of unknown outcome wrote, by id. */
  readonly written: ReadonlyMap<string, { readonly credits: number; readonly replayed: boolean }>
}

/** The changes of a group; one aggregated write per table. */
export interface Writes {
  readonly accounts: readonly LedgerAccount[]
  readonly teamKeys: readonly TeamKey[]
  readonly lots: readonly Lot[]
  /** Lots that have expired, with the credits that were left in them. */
  readonly expired: readonly Lot[]
  readonly audit: readonly AuditRow[]
  readonly bindings: readonly Binding[]
  readonly refusals: readonly RefusalCount[]
  readonly events: readonly LedgerEvent[]
}

/** The events that calls cause. */
export type LedgerEvent = Extract<
  WebhookEvent,
  { type: 'credits.low' | 'credits.exhausted' | 'key.cap_exhausted' | 'grant.expired' }
>

export const bindingId = (accountId: number, idempotencyKey: string): string =>
  `${accountId} ${idempotencyKey}`
