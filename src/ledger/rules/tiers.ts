/** Account types, their limits, and the fixed windows that requests are counted in. */
import { CLOCK_BACK_MS } from '../../base/limits/operation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'

export type Tier = 'guest' | 'free' | 'basic' | 'standard' | 'pro'

/** Requests per window; null: no such window. */
export interface Limits {
  readonly hour: number
  readonly day: number | null
}

/** Processor seconds an hour of each account type. */
export type Work = Readonly<Record<Tier, number>>

/** The limits of each account type. */
export type Tiers = Readonly<Record<Tier, Limits>>

/** Length of each fixed window. */
export const windowMs = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  key_hour: HOUR_MS,
  work: HOUR_MS,
} as const
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

/** The account's own limit of processor seconds an hour where set, else its tier's. */
export const workLimitOf = (
  { tier, workLimit }: { readonly tier: Tier; readonly workLimit: number | null },
  work: Work,
): number => workLimit ?? work[tier]

/** A fixed window, which starts with the first request in it (`work`: the first computation); `startedAt` is 0 before any request. */
export interface Window {
  readonly startedAt: number
  readonly count: number
}

/** Whether `now` falls in a window. */
export const isRunning = ({ startedAt }: Window, name: WindowName, now: number): boolean =>
  startedAt > 0 && startedAt <= now + CLOCK_BACK_MS && now < startedAt + windowMs[name]

/** The window that `now` falls in: the stored one, or a new one that starts now. */
export const current = (window: Window, name: WindowName, now: number): Window =>
  isRunning(window, name, now) ? window : { startedAt: now, count: 0 }

export const add = (window: Window, count: number): Window => ({ ...window, count: window.count + count })

/** When a window ends, with its name. */
export const endOf = ({ startedAt }: Window, limit: WindowName) => ({
  at: startedAt + windowMs[limit],
  limit,
})

/** The end of the full window that ends last. */
export function lastToEnd(full: Partial<Record<WindowName, Window | false | null>>) {
  const names = Object.keys(full) as WindowName[]
  const ends = names.flatMap((name) => (full[name] ? [endOf(full[name], name)] : []))
  return ends.reduce((a, b) => (b.at > a.at ? b : a))
}
