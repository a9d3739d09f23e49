/** Account types and their rate windows. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts'
export type Tier = 'guest' | 'free' | 'basic' | 'standard' | 'pro'

/** Requests per window; null: no such window. */
export interface Limits {
  readonly hour: number
  readonly day: number | null
}

/** The limits of each account type. */
export type Tiers = Readonly<Record<Tier, Limits>>

/** Length of each fixed window. */
export const windowMs = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, key_hour: HOUR_MS } as const
export type WindowName = keyof typeof windowMs

/** The account's own limits where set, else its tier's. */
export function limitsOf(
  account: {
    readonly tier: Tier
    readonly hourLimit: number | null
    readonly dayLimit: number | null
  },
  tiers: Tiers,
): Limits {
  const tier = tiers[account.tier]
  return { hour: account.hourLimit ?? tier.hour, day: account.dayLimit ?? tier.day }
}
