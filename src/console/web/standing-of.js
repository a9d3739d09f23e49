/**
 * The standing of the key that a reply reports: credits, charge, windows with their limits, the seconds to wait, and its time.
 */
import { limitsIn, retryAfterIn, standingIn } from '../../reply-headers/standing.ts'

/** `headers`: a Headers object, or another source with `get(name)`. */
export function standingOf(headers) {
  const limits = limitsIn(headers)
  const { windows, ...rest } = standingIn(headers)
  return {
    ...rest,
    windows: windows.map((window) => ({ ...window, limit: limits.get(window.name) ?? null })),
    retryAfterSeconds: retryAfterIn(headers),
    date: headers.get('date'),
  }
}
