/** The tables of operators. */
import type { Generated } from 'kysely'

export interface OperatorTables {
  operator_tokens: {
    id: Generated<number>
    name: string
    role: 'viewer' | 'support' | 'billing' | 'admin'
    hash: Uint8Array
    created_at: number
    expires_at: number | null
    revoked_at: Generated<number | null>
    last_used_at: Generated<number | null>
    /** Of a session of the page: the token that it was begun with; 0: none, a person signed on. Null: the row is a token. */
    session_of: Generated<number | null>
    /** The person it belongs to; null: the row, or the token of the session, is a person of its own. */
    person: Generated<string | null>
  }
  /** Acts that a second person must confirm. */
  approvals: {
    id: Generated<number>
    act: string
    path: string
    /** The body of the request, as JSON. */
    input: string
    account_id: number | null
    asked_by: string
    /** The person who asked, as `person` of tokens. */
    person: string
    reason: string | null
    asked_at: number
    expires_at: number
    state: 'waiting' | 'confirmed' | 'rejected'
    decided_by: Generated<string | null>
    decided_at: Generated<number | null>
  }
  /** The versions of the plan, of which none is changed. */
  plans: {
    version: number
    at: number
    actor: string
    note: string | null
    /** JSON: the values that operators have set, by name. */
    items: string
  }
}
