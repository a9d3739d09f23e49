/** The outcome of a check or a group of tests, and its report. */

export interface Outcome {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly seconds: number
  /** Each entry names a test and contains its error. */
  readonly failures: readonly string[]
  /** One line per skipped test. */
  readonly skips: readonly string[]
  /** Lines with measurements. */
  readonly figures: readonly string[]
  /** Seconds that each file took, by its path. */
  readonly times: Readonly<Record<string, number>>
}

/** A group that takes longer than this names its slowest files. */
const LONG_S = 20
const NAMED = 4

export type Counts = Pick<Outcome, 'passed' | 'failed' | 'skipped'>

/** Prints an outcome: one line, and below it the measurements, the skipped tests and the failures. */
export function report(outcome: Outcome): Outcome {
  const line = `${outcome.name.padEnd(12)}${verdict(outcome).padEnd(34)}${outcome.seconds.toFixed(1).padStart(6)} s`
  console.log(line)
  const files = longest(outcome.times)
  if (outcome.seconds > LONG_S && files !== '') console.log(`  longest: ${files}`)
  for (const figure of outcome.figures) console.log(`  ${figure}`)
  for (const skip of outcome.skips) console.log(`  skipped: ${skip}`)
  for (const failure of outcome.failures) console.log(`\n✖ ${failure.trimEnd()}\n`)
  return outcome
}

const longest = (times: Outcome['times']): string =>
  Object.entries(times)
    .sort(([, a], [, b]) => b - a)
    .slice(0, NAMED)
    .map(([file, seconds]) => `${file} ${seconds.toFixed(1)} s`)
    .join(', ')

/** `N passed, N failed`, and the number of skipped tests if there are any. */
export function verdict({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

export function total(outcomes: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => outcomes.reduce((before, outcome) => before + outcome[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** The outcome of a check, or of a group that could not be run. @param failure undefined: it passed */
export const checked = (name: string, failure: string | undefined, seconds = 0): Outcome => ({
  name,
  passed: failure === undefined ? 1 : 0,
  failed: failure === undefined ? 0 : 1,
  skipped: 0,
  seconds,
  failures: failure === undefined ? [] : [`${name}: ${failure}`],
  skips: [],
  figures: [],
  times: {},
})
