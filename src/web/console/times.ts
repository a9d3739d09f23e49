/** Formats times for people. */

export const dateTime = (text: string): string =>
  new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** A date such as `2024-03-07`, with the time of day unless it is midnight. */
export function dateText(time: number | string): string {
  const [day, clock] = new Date(time).toISOString().split('T')
  const shown = clock.endsWith(':00.000Z') ? clock.slice(0, 5) : clock.slice(0, 8)
  return clock === '00:00:00.000Z' ? day : `${day} ${shown}`
}

/** The present day of this computer's calendar, such as `2024-03-07`. */
export function today(): string {
  const now = new Date()
  return dateText(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()))
}
