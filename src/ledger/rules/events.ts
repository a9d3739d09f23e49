/** The events that a change of a balance or of a team key's spending causes: one per crossing of a threshold. */
import { isoTime } from '../../base/time.ts'
import { capLeft } from './team-keys.ts'
import type { LedgerAccount, LedgerEvent, Lot, TeamKey } from './types.ts'

/** The events of a balance that falls. Guests have none. */
export function creditsFallen(
  account: Pick<LedgerAccount, 'id' | 'tier' | 'balance' | 'lowCredits'>,
  balance: number,
  { lowCredits, now }: { readonly lowCredits: number; readonly now: number },
): LedgerEvent[] {
  if (account.tier === 'guest') return []
  const threshold = account.lowCredits ?? lowCredits
  const falls = (to: number) => account.balance > to && balance <= to
  const event = { accountId: account.id, at: now }
  const events: LedgerEvent[] = []
  if (threshold > 0 && falls(threshold))
    events.push({ ...event, type: 'credits.low', data: { balance, threshold } })
  if (falls(0)) events.push({ ...event, type: 'credits.exhausted', data: { balance } })
  return events
}

/** The event of a team key whose spending reaches its cap. */
export function capExhausted(before: TeamKey, after: TeamKey, now: number): LedgerEvent[] {
  const { accountId, capPeriod: cap_period, creditCap: credit_cap, id: key_id } = after
  if (credit_cap === null || capLeft(before, now) === 0 || capLeft(after, now) !== 0) return []
  return [{ type: 'key.cap_exhausted', accountId, at: now, data: { key_id, credit_cap, cap_period } }]
}

/** The event of a lot that has expired with credits left. */
export const grantExpired = ({ accountId, expiresAt, id, remaining }: Lot, now: number): LedgerEvent => ({
  type: 'grant.expired',
  accountId,
  at: now,
  data: { grant_id: id, credits: remaining, expired_at: isoTime(expiresAt) },
})
