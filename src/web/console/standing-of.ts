/** The standing that the headers of a reply report: credits, charge, windows with their limits, seconds to wait, and the time. */
import { type HeaderSource, limitsIn, retryAfterIn, standingIn } from '../../wire/standing.ts'

export function standingOf(headers: HeaderSource) {
  const limits = limitsIn(headers)
  const { windows, ...rest } = standingIn(headers)
  return {
    ...rest,
    windows: windows.map((window) => ({ ...window, limit: limits.get(window.name) ?? null })),
    retryAfterSeconds: retryAfterIn(headers),
    date: headers.get('date'),
  }
}
