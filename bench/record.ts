/** What a measurement leaves behind: figures of alternating rounds, with the machine and the versions they are from. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, release, totalmem } from 'node:os'

/** One side's figures, a round each. */
export interface Figures {
  readonly unit: string
  readonly rounds: readonly number[]
}

export interface Goal {
  readonly is: 'at least' | 'at most'
  readonly value: number
}

/** One line of the table. */
export interface Row {
  /** Stays the same from run to run: explanations hang on it. */
  readonly id: string
  readonly work: string
  readonly against: string
  /** null: told for information. */
  readonly goal: Goal | null
  /** What the goal is about, as a median over the rounds; null: not to be measured here, and `note` says why. */
  readonly measured: number | null
  readonly unit: '×' | 'ms' | 'MB'
  readonly ours: Figures | null
  readonly theirs: Figures | null
  readonly note?: string
}

/** Points of a chart. */
export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Part {
  readonly rounds: number
  /** Who ran where, in a sentence or two. */
  readonly conditions: string
  readonly rows: readonly Row[]
  readonly series?: readonly Series[]
  /** Versions of what was measured against. */
  readonly peers?: Readonly<Record<string, string>>
}

export interface Kept extends Part {
  readonly part: string
  readonly at: string
  readonly machine: ReturnType<typeof machine>
  readonly versions: Readonly<Record<string, string>>
}

const RESULTS = new URL('results/', import.meta.url)

export function keep(name: string, part: Part): Kept {
  const kept = { part: name, at: new Date().toISOString(), machine: machine(), versions: versions(), ...part }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(new URL(`${name}.json`, RESULTS), `${JSON.stringify(kept, null, 1)}\n`)
  return kept
}

/** The row of two sides measured in turn: the ratio is the median of the rounds' own ratios. */
export function ratioRow(
  row: Pick<Row, 'id' | 'work' | 'against' | 'goal' | 'note'>,
  ours: Figures,
  theirs: Figures,
): Row {
  return { ...row, measured: median(ratios(ours, theirs)), unit: '×', ours, theirs }
}

/** Round by round, so that a slow spell of the machine, which hits both, leaves the ratio alone. */
const ratios = (ours: Figures, theirs: Figures): number[] =>
  ours.rounds.map((value, round) => value / theirs.rounds[round]!)

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Whether a goal is reached; null where there is none, or nothing was measured. */
export const isMet = ({ goal, measured }: Pick<Row, 'goal' | 'measured'>): boolean | null => {
  if (goal === null || measured === null) return null
  return goal.is === 'at least' ? measured >= goal.value : measured <= goal.value
}

function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    /** Of the minute before; well above 1 means that others were at work. */
    loadAverage: loadavg()[0],
  }
}

function versions(): Record<string, string> {
  const { version: quantd } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const installed = createRequire(import.meta.url)
  const packages = ['fastify', 'better-sqlite3', 'pg'].map((name) => {
    const folder = installed.resolve(name).replace(new RegExp(`(node_modules/${name}/).*`), '$1')
    return [name, JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).version]
  })
  return {
    quantd: [quantd, commit()].join(' '),
    node: process.versions.node,
    ...Object.fromEntries(packages),
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return 'outside of a checkout'
  }
}
