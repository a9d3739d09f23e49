/** Account types, their initial credits, and their rate windows. */
export type Tier = 'guest' | 'free' | 'basic' | 'standard' | 'pro'

/** Requests per window; null: no such window. */
export interface Limits {
  readonly hour: number
  readonly day: number | null
}

/** The limits of each account type. */
export type Tiers = Readonly<Record<Tier, Limits>>

/** As the specification sets them. */
export const defaultTiers: Tiers = {
  guest: { hour: 60, day: 50 },
  free: { hour: 500, day: null },
  basic: { hour: 1_000, day: null },
  standard: { hour: 2_000, day: null },
  pro: { hour: 5_000, day: null },
}

/** As the specification sets them. */
export const GUEST_CREDITS = 50
export const REGISTRATION_CREDITS = 350
export const GUEST_LIFETIME_MS = 24 * 3_600_000
/** Idempotency keys are remembered this long. */
export const BINDING_LIFETIME_MS = 24 * 3_600_000

/** Length of each fixed window. */
export const windowMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
export type WindowName = keyof typeof windowMs

/** Requests per minute and account to account endpoints and to replays of a bound idempotency key. */
export const MINUTE_LIMIT = 120
/** Replays of one idempotency key: enough for replies that were lost, too few to compute on what was paid once. */
export const REPLAY_LIMIT = 10

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
