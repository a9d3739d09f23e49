/** Fixed windows: the one that is open now, and when full ones end. */
import { type WindowName, windowMs } from './tiers.ts'
import type { Window } from './types.ts'

/** The window that `now` falls in: the stored one, or a new one that starts now. */
export const current = (window: Window, name: WindowName, now: number): Window =>
  now < window.startedAt + windowMs[name] && window.startedAt > 0 ? window : { startedAt: now, count: 0 }

export const add = (window: Window, count: number): Window => ({ ...window, count: window.count + count })

/** When a window ends, with its name. */
export const endOf = ({ startedAt }: Window, limit: WindowName) => ({
  at: startedAt + windowMs[limit],
  limit,
})

/** Of the full windows, the one that ends last. */
export function lastToEnd(full: Partial<Record<WindowName, Window | false | null>>) {
  const names = Object.keys(full) as WindowName[]
  const ends = names.flatMap((name) => (full[name] ? [endOf(full[name], name)] : []))
  return ends.reduce((a, b) => (b.at > a.at ? b : a))
}
