/** Durations in milliseconds; every longer duration of the project is a multiple of one of these. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS

/** The first millisecond of a day, UTC, that is written as 2026-01-31; null: there is no such day. */
export function dayStart(text: string): number | null {
  const at = Date.parse(text)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : at
}
