/** Time that does not run backwards when a standby with a slower clock is promoted. */

/** A clock that is set back by more than this was wrong before. */
const MAX_BACK_MS = 3_600_000

/**
 * Returns the time that the database's clock shows, or the latest that it has shown: an expired code or window stays
 * expired after a failover. Each node remembers for itself; epoch milliseconds.
 */
export function steadyClock(): (now: number) => number {
  let latest = 0
  return (now) => {
    latest = now < latest - MAX_BACK_MS ? now : Math.max(latest, now)
    return latest
  }
}
