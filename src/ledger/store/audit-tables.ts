/** The audit, and the tables of its proofs. */
import type { Generated } from 'kysely'

export interface AuditTables {
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
