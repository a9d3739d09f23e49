/** The cap of a team key's lineage: the credits that all keys which rotations made of one have spent, and those left. */
import { CLOCK_BACK_MS } from '../../base/limits/operation.ts'
import { DAY_MS } from '../../base/time.ts'
import type { CapPeriod, LedgerEvent, TeamKey } from './types.ts'

/** When the period began that `now` falls in; 0 for `total`. */
export function periodStart(period: CapPeriod, now: number): number {
  if (period === 'total') return 0
  if (period === 'day') return Math.floor(now / DAY_MS) * DAY_MS
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/** When the cap renews; null: never, or there is no cap. */
export function capResetsAt(
  { capPeriod, creditCap }: Pick<TeamKey, 'capPeriod' | 'creditCap'>,
  now: number,
): number | null {
  if (creditCap === null || capPeriod === 'total') return null
  if (capPeriod === 'day') return periodStart('day', now) + DAY_MS
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/**
 * Whether `now` falls in the period in which `spent` was spent. If the clock is set back, that period lies ahead, and counts as
 * the present one, so that the cap does not renew; unless it lies so far ahead that the clock must have been wrong before.
 */
const isPresent = (
  { capPeriod, spentFrom }: Pick<TeamKey, 'capPeriod' | 'spentFrom'>,
  now: number,
): boolean => spentFrom >= periodStart(capPeriod, now) && spentFrom <= now + CLOCK_BACK_MS

/** Credits spent in the period that `now` falls in. */
export const spentAt = (key: Pick<TeamKey, 'capPeriod' | 'spent' | 'spentFrom'>, now: number): number =>
  isPresent(key, now) ? key.spent : 0

/** Credits that the lineage may still spend in this period; null: no cap. */
export const capLeft = (key: TeamKey, now: number): number | null =>
  key.creditCap === null ? null : Math.max(0, key.creditCap - spentAt(key, now))

/** The lineage after `credits` more were spent. */
export const spend = (key: TeamKey, credits: number, now: number): TeamKey => ({
  ...key,
  spent: spentAt(key, now) + credits,
  spentFrom: isPresent(key, now) ? key.spentFrom : periodStart(key.capPeriod, now),
  spentTotal: key.spentTotal + credits,
})

/** The event of a team key whose spending reaches its cap. */
export function capExhausted(before: TeamKey, after: TeamKey, now: number): LedgerEvent[] {
  const { accountId, capPeriod: cap_period, creditCap: credit_cap, id: key_id } = after
  if (credit_cap === null || capLeft(before, now) === 0 || capLeft(after, now) !== 0) return []
  return [{ type: 'key.cap_exhausted', accountId, at: now, data: { key_id, credit_cap, cap_period } }]
}
