/** The tables, as both databases hold them. Times are epoch milliseconds. */
import type { Generated } from 'kysely'
import type { Tier } from '../ledger/tiers.ts'
import type { KeyStatus } from '../ledger/types.ts'

export interface Schema {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  audit: AuditTable
  refusals: RefusalsTable
  ledger: LedgerTable
  bindings: BindingsTable
  attempts: AttemptsTable
  facts: FactsTable
}

interface AccountsTable {
  id: Generated<number>
  /** Associated data of the account's sealed secrets; known before the row exists. */
  uid: string
  tier: Tier
  balance: number
  created_at: number
  verified_at: number | null
  expires_at: number | null
  hour_limit: number | null
  day_limit: number | null
  minute_started_at: Generated<number>
  minute_count: Generated<number>
  hour_started_at: Generated<number>
  hour_count: Generated<number>
  day_started_at: Generated<number>
  day_count: Generated<number>
  device_id: string | null
  device_name: string | null
  platform: string | null
}

interface ApiKeysTable {
  id: Generated<number>
  uid: string
  account_id: number
  hash: Uint8Array
  master_key_id: string
  sealed: Uint8Array
  status: KeyStatus
  created_at: number
}

interface AuditTable {
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
}

interface RefusalsTable {
  key_id: number
  account_id: number
  ip: string
  code: string
  minute: number
  count: number
}

/** Every change of a balance but the debits, which are the audit rows' credits. */
interface LedgerTable {
  id: Generated<number>
  at: number
  account_id: number
  kind: 'grant' | 'transfer_in' | 'transfer_out' | 'refund' | 'archived_debits'
  amount: number
  /** The call a refund is for; at most one refund a call. */
  audit_id: string | null
  note: string | null
}

interface BindingsTable {
  account_id: number
  idempotency_key: string
  request_hash: string
  audit_id: string
  expires_at: number
  replayed: number
}

interface AttemptsTable {
  scope: string
  subject: string
  started_at: number
  count: number
  expires_at: number
}

interface FactsTable {
  name: string
  value: string
}
