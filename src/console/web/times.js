/** Times as people read them. */

export const dateTime = (text) =>
  new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** `2024-03-07`, with the time where it is not midnight. */
export function dateText(time) {
  const [day, clock] = new Date(time).toISOString().split('T')
  const shown = clock.endsWith(':00.000Z') ? clock.slice(0, 5) : clock.slice(0, 8)
  return clock === '00:00:00.000Z' ? day : `${day} ${shown}`
}
