/**
 * Credits that expire or are taken back. A grant with an end is a lot of the balance. The lot that expires soonest is spent
 * first, credits without an end last. Credits that are taken back, but are not in the balance any more, become debt. A balance that
 * falls causes one event for each threshold that it crosses.
 */
import { isoTime } from '../../base/time.ts'
import type { LedgerAccount, LedgerEvent, Lot } from './types.ts'

export const sumOf = (lots: readonly Pick<Lot, 'remaining'>[]): number =>
  lots.reduce((sum, { remaining }) => sum + remaining, 0)

/** Divides lots into those that still run at `now` and those that have expired with credits left. */
export const expire = (lots: readonly Lot[], now: number): { live: Lot[]; expired: Lot[] } => ({
  live: lots.filter(({ expiresAt }) => expiresAt > now),
  expired: lots.filter(({ expiresAt, remaining }) => expiresAt <= now && remaining > 0),
})

/** The lot after its end, when its rest has expired. */
export const endOf = (lot: Lot): Lot => ({ ...lot, remaining: 0, expired: lot.remaining })

/** The lots after `credits` were spent in the order of expiry. Credits that the lots do not hold are spent from the rest. */
export function spendLots(lots: readonly Lot[], credits: number): Lot[] {
  let left = credits
  return lots.map((lot) => {
    const taken = Math.min(lot.remaining, left)
    left -= taken
    return taken === 0 ? lot : { ...lot, remaining: lot.remaining - taken }
  })
}

/** When the next lot with credits left expires; null: none does. Lots are in their order of expiry. */
export const nextExpiry = (lots: readonly Lot[]): number | null =>
  lots.find(({ remaining }) => remaining > 0)?.expiresAt ?? null

interface Holding {
  readonly balance: number
  readonly debt: number
}

/** Adds a grant, which pays the debt first. `kept`: the credits that reach the balance. */
export function add({ balance, debt }: Holding, credits: number): Holding & { readonly kept: number } {
  const kept = Math.max(0, credits - debt)
  return { balance: balance + kept, debt: debt - (credits - kept), kept }
}

interface Reversal extends Holding {
  readonly lots: readonly Lot[]
  /** Credits that had expired, so that they are not taken again. */
  readonly lapsed: number
  /** Credits taken from the balance or added to the debt. */
  readonly moved: number
}

/**
 * Takes credits of a grant back: first from its own lot, then from credits without an end, then from other lots. Credits that
 * the balance does not hold become debt, unless the lot of the grant has expired.
 * @param lots the account's unexpired lots, in the order of expiry
 * @param grantLot the lot of the grant, which may have expired; null: the grant has no end
 */
export function takeBack(
  { balance, debt, lots }: Holding & { readonly lots: readonly Lot[] },
  credits: number,
  grantLot: Lot | null,
  now: number,
): Reversal {
  const isOver = grantLot !== null && grantLot.expiresAt <= now
  const lapsed = Math.min(grantLot?.expired ?? 0, credits)
  const taken = Math.min(balance, credits - lapsed)
  const owed = isOver ? 0 : credits - lapsed - taken
  const fromGrant = Math.min(lots.find(({ id }) => id === grantLot?.id)?.remaining ?? 0, taken)
  const withoutEnd = Math.min(balance - sumOf(lots), taken - fromGrant)
  const rest = lots.map((lot) =>
    lot.id === grantLot?.id ? { ...lot, remaining: lot.remaining - fromGrant } : lot,
  )
  return {
    balance: balance - taken,
    debt: debt + owed,
    lots: spendLots(rest, taken - fromGrant - withoutEnd),
    lapsed,
    moved: taken + owed,
  }
}

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

/** The event of a lot that has expired with credits left. */
export const grantExpired = ({ accountId, expiresAt, id, remaining }: Lot, now: number): LedgerEvent => ({
  type: 'grant.expired',
  accountId,
  at: now,
  data: { grant_id: id, credits: remaining, expired_at: isoTime(expiresAt) },
})
