/** An account as it is printed: with the names of the HTTP interface, and as lines for a person. */

import { isoTime } from '../base/time.ts'
import type { Plan } from '../ledger/rules/plan.ts'
import { limitsOf, workLimitOf } from '../ledger/rules/tiers.ts'
import type { AccountView, FoundAccount } from './account-views.ts'
import type { Approval } from './approvals.ts'

/** The limits of account types. */
type TypeLimits = Pick<Plan, 'tiers' | 'work'>

export const accountJson = (account: AccountView, { tiers, work }: TypeLimits) => ({
  account_id: account.accountId,
  email: account.email,
  username: account.username,
  full_name: account.fullName,
  account_type: account.tier,
  credits: account.credits,
  api_key_status: account.keyStatus,
  api_key_created_at: isoTime(account.keyCreatedAt),
  limits: {
    ...limitsOf(account, tiers),
    work: workLimitOf(account, work),
    own_hour: account.hourLimit,
    own_day: account.dayLimit,
    own_work: account.workLimit,
  },
  low_credits: account.lowCredits,
  mfa_enabled: account.mfaEnabledAt !== null,
  created_at: isoTime(account.createdAt),
  verified_at: isoTime(account.verifiedAt),
  expires_at: isoTime(account.expiresAt),
  linked_to: account.linkedTo,
})

export const foundJson = (account: FoundAccount, limits: TypeLimits) => ({
  ...accountJson(account, limits),
  granted: account.granted,
  spent: account.spent,
  ...(account.debt > 0 && { debt: account.debt }),
  ...(account.lots.length > 0 && {
    lots: account.lots.map((lot) => ({ credits: lot.remaining, expires_at: isoTime(lot.expiresAt) })),
  }),
})

export const approvalJson = (approval: Approval) => ({
  id: approval.id,
  act: approval.act,
  path: approval.path,
  account_id: approval.accountId,
  request: JSON.parse(approval.input) as Record<string, unknown>,
  asked_by: approval.askedBy,
  reason: approval.reason,
  state: approval.state,
  asked_at: isoTime(approval.askedAt)!,
  expires_at: isoTime(approval.expiresAt)!,
  decided_by: approval.decidedBy,
  decided_at: isoTime(approval.decidedAt),
})

/** One line per label and value. */
export function accountText(account: FoundAccount, { tiers, work }: TypeLimits): string {
  const { day, hour } = limitsOf(account, tiers)
  const isOwn = [account.hourLimit, account.dayLimit, account.workLimit].some((limit) => limit !== null)
  const own = isOwn ? ' (set for this account)' : ''
  const lines: [string, unknown][] = [
    ['account', account.accountId],
    ['e-mail', account.email],
    ['username', account.username],
    ['full name', account.fullName],
    ['type', account.tier],
    ['credits', `${account.credits} (granted ${account.granted}, spent ${account.spent})`],
    ['debt', account.debt > 0 ? account.debt : null],
    ...account.lots.map((lot): [string, unknown] => [
      'expiring',
      `${lot.remaining} at ${isoTime(lot.expiresAt)}`,
    ]),
    ['API key', account.keyStatus && `${account.keyStatus}, created ${isoTime(account.keyCreatedAt)}`],
    [
      'limits',
      `${hour} an hour${day === null ? '' : `, ${day} a day`}, ${workLimitOf(account, work)} processor seconds an hour${own}`,
    ],
    ['second factor', account.mfaEnabledAt === null ? 'off' : `on since ${isoTime(account.mfaEnabledAt)}`],
    ['created', isoTime(account.createdAt)],
    ['expires', isoTime(account.expiresAt)],
    ['taken over by', account.linkedTo],
  ]
  return lines
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${label.padEnd(14)} ${value}`)
    .join('\n')
}
