/** The tables of operators and of the webhooks that they set up. */
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
    /** The token with which a session of the page was begun; 0: its person signed on; null: the row is a token, no session. */
    session_of: Generated<number | null>
    /** The person to whom the token or session belongs; null: the token, or the token of the session, counts as a person. */
    person: Generated<string | null>
    /** The name of the token, person or login that made it; null: it was made before this was recorded. */
    made_by: Generated<string | null>
    /** The token or session with which it was made; null: the command line. */
    made_with: Generated<number | null>
  }
  /** Credits that a person moved without a second person. */
  lone_acts: {
    id: Generated<number>
    person: string
    act: string
    at: number
    credits: number
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
    /** The person who proposed the act; see `person` of the tokens. */
    person: string
    reason: string | null
    asked_at: number
    expires_at: number
    state: 'waiting' | 'confirmed' | 'rejected'
    decided_by: Generated<string | null>
    decided_at: Generated<number | null>
  }
  /** The versions of the plan. A row is never changed. */
  plans: {
    version: number
    at: number
    actor: string
    note: string | null
    /** JSON: the values that operators have set, by name. */
    items: string
  }
}

export interface WebhookTables {
  webhook_events: {
    id: Generated<number>
    account_id: number
    type: string
    /** JSON. */
    data: string
    at: number
    /** When its deliveries were written; null: not yet. */
    queued_at: Generated<number | null>
  }
  webhook_endpoints: {
    id: Generated<number>
    uid: string
    url: string
    /** A JSON array; null: all types. */
    types: string | null
    created_at: number
    /** The master key that sealed the signing keys. */
    master_key_id: string
    sealed: Uint8Array
  }
  webhook_deliveries: {
    id: Generated<number>
    endpoint_id: number
    event_id: number
    account_id: number
    queued_at: number
    attempts: Generated<number>
    /** Null: delivered or parked. */
    next_at: number | null
    /** The HTTP status of the last reply; null: there was none. */
    status: Generated<number | null>
    delivered_at: Generated<number | null>
    parked_at: Generated<number | null>
  }
}
