/** Reads durations as people write them. */

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
