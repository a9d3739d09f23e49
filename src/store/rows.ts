/** How the ledger's part of the books stands in rows, the same in both databases. */
import type { Tier } from '../ledger/tiers.ts'
import type { Binding, LedgerAccount } from '../ledger/types.ts'

export interface AccountRow {
  id: number
  tier: Tier
  balance: number
  verified_at: number | null
  expires_at: number | null
  hour_limit: number | null
  day_limit: number | null
  minute_started_at: number
  minute_count: number
  hour_started_at: number
  hour_count: number
  day_started_at: number
  day_count: number
}

export const accountColumns =
  'id, tier, balance, verified_at, expires_at, hour_limit, day_limit, minute_started_at, minute_count, hour_started_at, hour_count, day_started_at, day_count'

export const accountOf = (row: AccountRow): LedgerAccount => ({
  id: row.id,
  tier: row.tier,
  balance: row.balance,
  verified: row.verified_at !== null,
  expiresAt: row.expires_at,
  hourLimit: row.hour_limit,
  dayLimit: row.day_limit,
  minute: { startedAt: row.minute_started_at, count: row.minute_count },
  hour: { startedAt: row.hour_started_at, count: row.hour_count },
  day: { startedAt: row.day_started_at, count: row.day_count },
})

export interface BindingRow {
  account_id: number
  idempotency_key: string
  request_hash: string
  audit_id: string
  expires_at: number
  replayed: number
}

export const bindingColumns = 'account_id, idempotency_key, request_hash, audit_id, expires_at, replayed'

export const bindingOf = (row: BindingRow): Binding => ({
  accountId: row.account_id,
  idempotencyKey: row.idempotency_key,
  requestHash: row.request_hash,
  auditId: row.audit_id,
  expiresAt: row.expires_at,
  replayed: row.replayed === 1,
})
