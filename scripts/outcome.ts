/** What a check or a group of tests came to, and how it is told. */
import { inspect } from 'node:util'

export interface Outcome {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly seconds: number
  /** Whole texts: each names a test and says what is wrong. */
  readonly failures: readonly string[]
  /** One line each. */
  readonly skips: readonly string[]
}

export type Counts = Pick<Outcome, 'passed' | 'failed' | 'skipped'>

/** Prints an outcome: one line, and what there is to say about failures and skips below it. */
export function report(outcome: Outcome): Outcome {
  const line = `${outcome.name.padEnd(12)}${verdict(outcome).padEnd(34)}${outcome.seconds.toFixed(1).padStart(6)} s`
  console.log(line)
  for (const skip of outcome.skips) console.log(`  skipped: ${skip}`)
  for (const failure of outcome.failures) console.log(`\n✖ ${failure.trimEnd()}\n`)
  return outcome
}

/** `N passed, N failed`, and what was skipped where something was. */
export function verdict({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

export function total(outcomes: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => outcomes.reduce((before, outcome) => before + outcome[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** A group that could not even be run. */
export function failed(name: string, error: unknown): Outcome {
  return {
    name,
    passed: 0,
    failed: 1,
    skipped: 0,
    seconds: 0,
    failures: [`${name}: ${inspect(error)}`],
    skips: [],
  }
}
