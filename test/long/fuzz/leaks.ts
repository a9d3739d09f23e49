/** Finds leaks in repeated measurements of the memory and files that a service holds while no request runs. */

export interface Held {
  readonly residentMb: number
  readonly descriptors: number
}

/** V8 returns memory late, so that the least of several measurements counts. */
const MOST_MB_MORE = 20
/** Allows for one more thread, or for connections of the database. */
const MOST_DESCRIPTORS_MORE = 16
/** The least number of measurements in each third of a run; fewer prove nothing. */
const LEAST_MEASUREMENTS = 3

/** Every leak as a sentence: the last third of the run holds more than the second. The first third is the warm-up. */
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
