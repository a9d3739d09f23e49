/** The tables of accounts, and those of the audit and its proofs, as both databases have them. Times are epoch milliseconds. */

import type { Generated } from 'kysely'
import type { Tier } from '../rules/tiers.ts'
import type { CapPeriod, KeyStatus } from '../rules/types.ts'
import type { OperatorTables, WebhookTables } from './service-tables.ts'

export interface Schema extends AuditTables, OperatorTables, WebhookTables {
  accounts: {
    id: Generated<number>
    /** Associated data of the account's sealed secrets, chosen before the row is inserted. */
    uid: string
    tier: Tier
    balance: number
    created_at: number
    verified_at: number | null
    expires_at: number | null
    hour_limit: number | null
    day_limit: number | null
    /** Processor seconds an hour; null: those of the account type. */
    work_limit: Generated<number | null>
    minute_started_at: Generated<number>
    minute_count: Generated<number>
    hour_started_at: Generated<number>
    hour_count: Generated<number>
    day_started_at: Generated<number>
    day_count: Generated<number>
    work_started_at: Generated<number>
    work_micros: Generated<number>
    device_id: string | null
    device_name: string | null
    platform: string | null
    /** The e-mail address in the form in which addresses are compared; null for guests. */
    address: Generated<string | null>
    email: Generated<string | null>
    username: Generated<string | null>
    full_name: Generated<string | null>
    password_hash: Generated<string | null>
    /** Without `totp_enabled_at` the secret still awaits its first code. */
    totp_sealed: Generated<Uint8Array | null>
    totp_master_key_id: Generated<string | null>
    totp_enabled_at: Generated<number | null>
    totp_last_step: Generated<number | null>
    /** The person of a provider who signs on to the account, as JSON: issuer and subject. */
    sign_on: Generated<string | null>
    /** The account that took this guest over. */
    linked_to: Generated<number | null>
    /** The expiry of the soonest lot with credits left. */
    lots_expire_at: Generated<number | null>
    /** Credits taken back that the balance did not hold; later grants pay it first. */
    debt: Generated<number>
    /** The threshold of the event `credits.low`; null: that of the setting. */
    low_credits: Generated<number | null>
    /** When the account was deleted: it has no credits, keys or names left. */
    deleted_at: Generated<number | null>
    /** Client addresses were erased from audit rows before this time; null: there is nothing to erase. */
    erased_until: Generated<number | null>
  }
  api_keys: {
    id: Generated<number>
    uid: string
    account_id: number
    hash: Uint8Array
    master_key_id: string
    sealed: Uint8Array
    status: KeyStatus
    created_at: number
    /** The lineage of a team key, of which only a hash is kept: `sealed` is empty. */
    team_key_id: Generated<number | null>
    /** The first and the last characters, by which people recognise the key; null: a key of version 0.1.0. */
    prefix: Generated<string | null>
    last4: Generated<string | null>
    /** When the overlap of a rotation ends. */
    ends_at: Generated<number | null>
  }
  team_keys: {
    id: Generated<number>
    account_id: number
    name: string
    /** A JSON array of paths; null: all computations. */
    paths: string | null
    /** A JSON array of ranges; null: all addresses. */
    allowed_ips: Generated<string | null>
    credit_cap: number | null
    cap_period: CapPeriod
    spent: Generated<number>
    spent_from: Generated<number>
    spent_total: Generated<number>
    hourly_limit: number | null
    hour_started_at: Generated<number>
    hour_count: Generated<number>
    created_at: number
    expires_at: number | null
    last_used_at: Generated<number | null>
    /** When the event of its end was written; null: not yet. */
    told_end: Generated<number | null>
  }
  /** HMAC keys of the database. */
  hash_keys: {
    id: Generated<number>
    name: string
    master_key_id: string
    sealed: Uint8Array
  }
  /** Grants that expire. */
  lots: {
    id: Generated<number>
    account_id: number
    reference: string | null
    granted: number
    remaining: number
    /** The credits that were left at its end, less those that reversals took of them. */
    expired: Generated<number>
    expires_at: number
  }
  /**
   * The references of grants and reversals, unique in the whole ledger; the row of the ledger has the same account and
   * reference.
   */
  ledger_references: {
    reference: string
    account_id: number
    /** The credits of the request. A reversal moves fewer where credits of its grant had expired. */
    credits: number
    /** The reference of the grant that a reversal concerns. */
    grant_reference: Generated<string | null>
    /** The sum of the reversals of a grant. */
    reversed: Generated<number>
  }
  refusals: {
    key_id: number
    account_id: number
    ip: string
    code: string
    minute: number
    count: number
  }
  /** Counts of failed attempts to log in or to confirm a code, by the keyed hash of the e-mail address. */
  failed_attempts: {
    subject: string
    ip: string
    path: string
    code: string
    minute: number
    account_id: number | null
    count: number
  }
  /** Every change of a balance except debits, which are the credits of the audit rows. */
  ledger: {
    id: Generated<number>
    at: number
    account_id: number
    kind: 'grant' | 'transfer_in' | 'transfer_out' | 'refund' | 'reversal' | 'expired' | 'archived_debits'
    amount: number
    /** The call a refund is for; at most one refund a call. */
    audit_id: string | null
    note: string | null
    /** The operator's reference of a grant or reversal. */
    reference: Generated<string | null>
    /** The lineage of the team key whose debits the row refunds or sums up. */
    team_key_id: Generated<number | null>
  }
  bindings: {
    account_id: number
    idempotency_key: string
    request_hash: string
    audit_id: string
    expires_at: number
    replayed: number
  }
  attempts: {
    scope: string
    subject: string
    started_at: number
    count: number
    expires_at: number
  }
  facts: {
    name: string
    value: string
  }
  registrations: OneTimeCodeColumns & {
    id: Generated<number>
    uid: string
    address: string
    email: string
    username: string
    full_name: string
    password_hash: string
    guest_key_id: number | null
    created_at: number
    token_hash: Uint8Array | null
    /** The client address in the form in which limits count it (IPv6: its network). */
    client: string
    /** 1: the present code was mailed for the client that holds the token. */
    code_is_own: number
  }
  password_resets: OneTimeCodeColumns & {
    account_id: number
    uid: string
  }
  recovery_codes: {
    id: Generated<number>
    account_id: number
    master_key_id: string
    sealed: Uint8Array
  }
  /** Balances at which the owner of an account gets a mail. */
  notices: {
    account_id: number
    credits: number
    /** 1: the balance lies above, and the next fall to the threshold causes a mail. */
    waits: number
    mailed_at: Generated<number | null>
  }
  /** The outbox. A mail's text is sealed; it is erased, with the recipient, once the mail is sent or abandoned. */
  mails: {
    id: string
    recipient: string | null
    master_key_id: string
    sealed: Uint8Array | null
    created_at: number
    attempts: number
    next_at: number
    sent_at: number | null
    last_error: string | null
  }
  /** Sums of computations on a past day, in days since 1970. */
  usage_days: {
    account_id: number
    day: number
    path: string
    /** 0: the account's own key. */
    team_key_id: number
    calls: number
    credits: number
  }
  usage_closed: {
    account_id: number
    until_day: number
  }
}

interface OneTimeCodeColumns {
  code_hash: Uint8Array
  code_master_key_id: string
  code_sent_at: number
  code_expires_at: number
  code_attempts: number
}

interface AuditTables {
  audit: {
    id: string
    at: number
    account_id: number | null
    key_id: number | null
    kind: 'computation' | 'account' | 'event'
    method: string
    path: string
    status: number
    code: string | null
    credits: number
    calls: number
    ip: string
    request_id: string
    duration_ms: number
    replayed: number
    detail: string | null
    /** Null: the row has no proof. It is an event since the last checkpoint, or older than the proofs. */
    stream: Generated<number | null>
    group_number: Generated<number | null>
    /** One digest of the request's body and of the result; null: the row has none. */
    content: Generated<Uint8Array | null>
    /**
     * In a row whose client address was erased: the digest of the address. In an event: the salt of its address. Null: the salt
     * is that of the account.
     */
    address: Generated<Uint8Array | null>
  }
  /** The salt of the client addresses of an account, until these are erased. */
  audit_salts: {
    account_id: number
    salt: Uint8Array
  }
  /** A sequence of groups that one writer makes. */
  audit_streams: {
    id: Generated<number>
    opened_at: number
    version: string
    /** The number of the newest group that a checkpoint covers. */
    signed: Generated<number>
    /** When a checkpoint last covered a group; before that, when it was opened. */
    signed_at: number
  }
  audit_groups: {
    /** The account of one of the group's rows. */
    account_id: number
    /** The time of all rows of the group. */
    at: number
    stream: number
    number: number
    leaves: number
    link: Uint8Array
  }
  checkpoints: {
    number: number
    at: number
    /** Canonical JSON. */
    body: string
    /** A JSON array. */
    signatures: string
  }
  signing_keys: {
    id: Generated<number>
    uid: string
    /** 32 bytes, base64url. */
    public_key: string
    created_at: number
    retired_at: number | null
    master_key_id: string
    sealed: Uint8Array
  }
}
