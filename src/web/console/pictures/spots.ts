/** The numbers of a picture that the pointer and the arrow keys reach. */
import type { Place } from './plane.ts'

/** A number of a picture, and its place in pixels from the upper left corner of the picture. */
export interface PlacedSpot {
  readonly left: number
  readonly top: number
  /** The name of the numbers that the arrow keys to the left and right go through. */
  readonly series: string
  /** A point is reached from nearby, a line from everywhere, a bar from above and below. */
  readonly kind: 'point' | 'line' | 'bar'
  /** The half of the width of a bar. */
  readonly half?: number
  /** The number of its row in the table of the page. */
  readonly row?: number | undefined
  /** The lines of its text, the first of which names it. */
  text(): readonly string[]
}

/** The distance in pixels from which a point is reached. */
const REACH = 40
/** How much more a distance along a line counts than one across it. */
const ALONG = 4

/** The place of the spot nearest to a pointer, or -1. */
export function nearest(spots: readonly PlacedSpot[], [left, top]: Place): number {
  let [found, least] = [-1, Infinity]
  for (const [i, spot] of spots.entries()) {
    const [across, up] = [Math.abs(spot.left - left), Math.abs(spot.top - top)]
    const distance =
      spot.kind === 'line'
        ? Math.hypot(ALONG * across, up)
        : spot.kind === 'bar'
          ? across <= spot.half!
            ? up / 1_000
            : Infinity
          : Math.hypot(across, up)
    if (distance >= least || (spot.kind === 'point' && distance > REACH)) continue
    least = distance
    found = i
  }
  return found
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }

/** The place of the spot to which a key leads from another, or null for other keys. `from`: -1, none yet. */
export function reached(spots: readonly PlacedSpot[], from: number, key: string): number | null {
  const isKey = key in STEPS || ['ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)
  if (!isKey || spots.length === 0) return null
  const { left, top, series } = spots[from] ?? spots[0]
  const own = spots
    .map((_, i) => i)
    .filter((i) => spots[i].series === series)
    .sort((a, b) => spots[a].left - spots[b].left || a - b)
  if (key === 'Home' || spots[from] === undefined) return own[0]
  if (key === 'End') return own[own.length - 1]
  if (key in STEPS) return own[Math.min(Math.max(own.indexOf(from) + STEPS[key], 0), own.length - 1)]
  const side = key === 'ArrowUp' ? -1 : 1
  const beyond = spots
    .map((_, i) => i)
    .filter((i) => spots[i].series !== series && side * (spots[i].top - top) >= 0)
    .sort(
      (a, b) =>
        Math.abs(spots[a].left - left) - Math.abs(spots[b].left - left) ||
        Math.abs(spots[a].top - top) - Math.abs(spots[b].top - top),
    )
  return beyond[0] ?? from
}
