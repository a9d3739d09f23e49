/** An account as the command line and the interface over HTTP print it: with the names of the HTTP interface. */
import { limitsOf, type Tiers } from '../ledger/tiers.ts'
import { isoTime } from '../time.ts'
import type { Approval } from './approvals.ts'
import type { AccountView, FoundAccount } from './views.ts'

export const accountJson = (account: AccountView, tiers: Tiers) => ({
  account_id: account.accountId,
  email: account.email,
  username: account.username,
  full_name: account.fullName,
  account_type: account.tier,
  credits: account.credits,
  api_key_status: account.keyStatus,
  api_key_created_at: isoTime(account.keyCreatedAt),
  limits: { ...limitsOf(account, tiers), own_hour: account.hourLimit, own_day: account.dayLimit },
  low_credits: account.lowCredits,
  mfa_enabled: account.mfaEnabledAt !== null,
  created_at: isoTime(account.createdAt),
  verified_at: isoTime(account.verifiedAt),
  expires_at: isoTime(account.expiresAt),
  linked_to: account.linkedTo,
})

export const foundJson = (account: FoundAccount, tiers: Tiers) => ({
  ...accountJson(account, tiers),
  granted: account.granted,
  spent: account.spent,
  ...(account.debt > 0 && { debt: account.debt }),
  ...(account.lots.length > 0 && {
    lots: account.lots.map((lot) => ({ credits: lot.remaining, expires_at: isoTime(lot.expiresAt) })),
  }),
})

export const approvalJson = (approval: Approval) => ({
  ...{ id: approval.id, act: approval.act, path: approval.path, account_id: approval.accountId },
  request: JSON.parse(approval.input) as Record<string, unknown>,
  ...{ asked_by: approval.askedBy, reason: approval.reason, state: approval.state },
  ...{ asked_at: isoTime(approval.askedAt)!, expires_at: isoTime(approval.expiresAt)! },
  ...{ decided_by: approval.decidedBy, decided_at: isoTime(approval.decidedAt) },
})
