/** Formats times for people, and reads durations as people write them. */

export const dateTime = (text: string): string =>
  new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** A date such as `2024-03-07`, with the time of day unless it is midnight. */
export function dateText(time: number | string): string {
  const [day, clock] = new Date(time).toISOString().split('T')
  const shown = clock.endsWith(':00.000Z') ? clock.slice(0, 5) : clock.slice(0, 8)
  return clock === '00:00:00.000Z' ? day : `${day} ${shown}`
}

/** A date in ISO 8601, with the time of day unless it is midnight. */
export const isoDate = (time: number): string => new Date(time).toISOString().replace(/T00:00:00\.000Z$/, '')

/** The present day of this computer's calendar, such as `2024-03-07`. */
export function today(): string {
  const now = new Date()
  return dateText(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()))
}

/** Days of the units of durations, by their first letters in English, German and French. */
const UNITS: readonly (readonly [pattern: RegExp, days: number])[] = [
  [/^(d|days?|tagen?|j|jours?)$/, 1],
  [/^(w|wks?|weeks?|wochen?|sem|semaines?)$/, 7],
  [/^(m|mo|mths?|months?|monaten?|mois)$/, 365 / 12],
  [/^(y|yrs?|years?|jahren?|ans?|années?)$/, 365],
]

/** The years of 365 days in a duration such as `30d`, `6M`, `1 year` or `P1Y6M`; NaN for other texts. */
export function durationIn(text: string): number {
  const cell = text
    .trim()
    .toLowerCase()
    .replace(/^p(?=\d)/, '')
  if (!/^(\d+(?:[.,]\d+)?\s*\p{L}+\s*)+$/u.test(cell)) return Number.NaN
  let days = 0
  for (const [, count, word] of cell.matchAll(/(\d+(?:[.,]\d+)?)\s*(\p{L}+)/gu)) {
    const length = UNITS.find(([pattern]) => pattern.test(word))?.[1] ?? Number.NaN
    days += Number(count.replace(',', '.')) * length
  }
  return days / 365
}
