/** The database's clock. */
import { HOUR_MS } from '../../time.ts'
import { type Statement, statement } from '../sql.ts'

/** Epoch milliseconds. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** Reads it as `now`. */
export const readClock = (): Statement => statement(`SELECT ${NOW} AS now`)

/** A clock that is set back by more than this was wrong before. */
const MAX_BACK_MS = HOUR_MS

/**
 * Returns the time that the database's clock shows, or the latest that it has shown: an expired code or window stays
 * expired when a standby with a slower clock is promoted. Each node remembers for itself; epoch milliseconds.
 */
export function steadyClock(): (now: number) => number {
  let latest = 0
  return (now) => {
    latest = now < latest - MAX_BACK_MS ? now : Math.max(latest, now)
    return latest
  }
}
