/** The record of a measurement: figures of alternating rounds, the machine, the versions and the commit. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, release, totalmem } from 'node:os'

/** The figures of one side, one per round. */
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
  /** Stable from run to run: explanations and documents refer to it. */
  readonly id: string
  readonly work: string
  readonly against: string
  /** null: the row is for information only. */
  readonly goal: Goal | null
  /** Median over the rounds, compared with the goal; null: cannot be measured on this machine, `note` gives the reason. */
  readonly measured: number | null
  readonly unit: '×' | 'ms' | 'MB' | '/s'
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
  /** Which process ran on which core, in one or two sentences. */
  readonly conditions: string
  readonly rows: readonly Row[]
  readonly series?: readonly Series[]
  /** Versions of the programs that quantd was compared with. */
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
  // Each member, row and series on one line.
  const members = Object.entries(kept).map(([member, value]) => {
    const items = Array.isArray(value) ? value.map((item) => `  ${JSON.stringify(item)}`) : []
    return ` "${member}": ${items.length > 0 ? `[\n${items.join(',\n')}\n ]` : JSON.stringify(value)}`
  })
  writeFileSync(new URL(`${name}.json`, RESULTS), `{\n${members.join(',\n')}\n}\n`)
  return kept
}

/**
 * The row of two sides measured in turn. The figure is the median of the rounds' ratios: a slow period of the machine affects both
 * sides, so it leaves a ratio unchanged.
 * @param theirs null: the other side's program is not installed
 */
export function ratioRow(
  row: Pick<Row, 'id' | 'work' | 'against' | 'goal' | 'note'>,
  ours: Figures,
  theirs: Figures | null,
): Row {
  const common = { ...row, unit: '×' as const, ours, theirs }
  if (theirs === null) return { ...common, measured: null, note: 'not installed here' }
  return { ...common, measured: median(ours.rounds.map((value, round) => value / theirs.rounds[round])) }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Whether the goal is met; null if there is no goal or no measurement. */
export const isMet = ({ goal, measured }: Pick<Row, 'goal' | 'measured'>): boolean | null => {
  if (goal === null || measured === null) return null
  return goal.is === 'at least' ? measured >= goal.value : measured <= goal.value
}

/** A line of the output. */
export function printed(row: Row): string {
  const { goal, measured, unit, work } = row
  if (measured === null) return `  –  ${work}: ${row.note}`
  const aim =
    goal === null ? '' : ` (goal ${goal.is} ${goal.value} ${unit}: ${isMet(row) ? 'met' : 'MISSED'})`
  const sides = [row.ours, row.theirs].map((side) =>
    side === null ? '' : ` ${median(side.rounds).toPrecision(4)} ${side.unit}`,
  )
  return `  ${measured.toPrecision(3)} ${unit}${aim} ${row.id}:${sides.join(' |')}${row.note ? ` — ${row.note}` : ''}`
}

function machine() {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    /** The load average of the last minute; well above 1, other programs used the machine. */
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

/** The commit that is checked out. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return 'unknown (not a git checkout)'
  }
}
