/** The database's clock. */
import { CLOCK_BACK_MS } from '../../../base/limits/operation.ts'
import { type Statement, statement } from '../sql.ts'

/** Epoch milliseconds. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** Reads it as `now`. */
export const readClock = (): Statement => statement(`SELECT ${NOW} AS now`)

/**
 * Returns the time that the database's clock shows, or the latest that it has shown: an expired code or window stays
 * expired when a standby with a slower clock is promoted. Each node remembers for itself; epoch milliseconds.
 */
export function steadyClock(): (now: number) => number {
  let latest = 0
  return (now) => {
    latest = now < latest - CLOCK_BACK_MS ? now : Math.max(latest, now)
    return latest
  }
}
