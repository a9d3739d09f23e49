/** The standing that the headers of a reply report: credits, charge, windows with their limits, seconds to wait, and the time. */
// @ts-nocheck: to be converted
import { limitsIn, retryAfterIn, standingIn } from '../../wire/standing.ts'

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
