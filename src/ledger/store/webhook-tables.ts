/** The tables of webhooks. */
import type { Generated } from 'kysely'

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
