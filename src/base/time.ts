/** Units of time in milliseconds, and dates as text. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS

/** The first millisecond of a UTC day such as 2026-01-31; null: there is no such day. */
export function dayStart(text: string): number | null {
  const at = Date.parse(text)
  return Number.isNaN(at) || dayName(at) !== text ? null : at
}

/** The UTC day of a time, such as 2026-01-31. */
export const dayName = (ms: number): string => isoTime(ms).slice(0, 'yyyy-mm-dd'.length)

/** A time in ISO 8601, UTC; null stays null. */
export function isoTime(ms: number): string
export function isoTime(ms: number | null): string | null
export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
