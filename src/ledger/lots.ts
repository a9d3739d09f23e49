/**
 * Credits that expire or are taken back. A grant with an end is a lot of the balance: the soonest to expire is spent first, the
 * rest of the balance last. Credits that are taken back and that the balance does not hold are debt.
 */
import type { Lot } from './types.ts'

export const sumOf = (lots: readonly Pick<Lot, 'remaining'>[]): number =>
  lots.reduce((sum, { remaining }) => sum + remaining, 0)

/** The end of lots at `now`: those that go on, and those that have expired with credits left. */
export const expire = (lots: readonly Lot[], now: number): { live: Lot[]; expired: Lot[] } => ({
  live: lots.filter(({ expiresAt }) => expiresAt > now),
  expired: lots.filter(({ expiresAt, remaining }) => expiresAt <= now && remaining > 0),
})

/** A lot at its end. */
export const endOf = (lot: Lot): Lot => ({ ...lot, remaining: 0, expired: lot.remaining })

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

interface Holding {
  readonly balance: number
  readonly debt: number
}

/** A grant pays the debt first. `kept`: its credits that reach the balance. */
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
 * Takes credits of a grant back. Its own lot gives first, then credits without an end, then other lots. Credits that the
 * balance does not hold become debt, unless the lot of the grant has expired.
 * @param lots of the account, not expired, in their order of expiry
 * @param own the lot of the grant, which may have expired; null: it has no end
 */
export function takeBack(
  { balance, debt, lots }: Holding & { readonly lots: readonly Lot[] },
  credits: number,
  own: Lot | null,
  now: number,
): Reversal {
  const isOver = own !== null && own.expiresAt <= now
  const lapsed = Math.min(own?.expired ?? 0, credits)
  const taken = Math.min(balance, credits - lapsed)
  const owed = isOver ? 0 : credits - lapsed - taken
  const fromOwn = Math.min(lots.find(({ id }) => id === own?.id)?.remaining ?? 0, taken)
  const withoutEnd = Math.min(balance - sumOf(lots), taken - fromOwn)
  const rest = lots.map((lot) => (lot.id === own?.id ? { ...lot, remaining: lot.remaining - fromOwn } : lot))
  return {
    balance: balance - taken,
    debt: debt + owed,
    lots: spendLots(rest, taken - fromOwn - withoutEnd),
    lapsed,
    moved: taken + owed,
  }
}
