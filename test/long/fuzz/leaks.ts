/** Judges what a service holds while no request runs, measured again and again during a long run. */

export interface Held {
  readonly residentMb: number
  readonly descriptors: number
}

/** V8 returns memory late, so that the least of several measurements counts. */
const MOST_MB_MORE = 20
/** One more thread or connections of the database. */
const MOST_DESCRIPTORS_MORE = 16
/** In each third of the run; fewer tell nothing. */
const LEAST_MEASUREMENTS = 3

/** The first third warms up; the last one must not hold more than the second. Every leak as a sentence. */
export function leaks(held: readonly Held[]): string[] {
  const third = Math.floor(held.length / 3)
  if (third < LEAST_MEASUREMENTS) return []
  const least = (name: keyof Held, from: number) =>
    Math.min(...held.slice(from, from + third).map((one) => one[name]))
  const more = (name: keyof Held) => least(name, held.length - third) - least(name, third)
  const faults: string[] = []
  if (more('residentMb') > MOST_MB_MORE) faults.push(`memory has grown by ${more('residentMb')} MB`)
  if (more('descriptors') > MOST_DESCRIPTORS_MORE)
    faults.push(`${more('descriptors')} descriptors more than before`)
  return faults
}
