/** Credits that expire: a grant with an end is a lot of the balance. The soonest to expire is spent first, the rest of the balance last. */
import type { Lot } from './types.ts'

/** The end of lots at `now`: those that go on, and those that have expired with credits left. */
export const expire = (lots: readonly Lot[], now: number): { live: Lot[]; expired: Lot[] } => ({
  live: lots.filter(({ expiresAt }) => expiresAt > now),
  expired: lots.filter(({ expiresAt, remaining }) => expiresAt <= now && remaining > 0),
})

/** The lots after `credits` were spent, in their order of expiry; those beyond the lots come from the rest of the balance. */
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
