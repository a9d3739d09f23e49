/** Discrimination, outliers, isolation forest and migration compared with scikit-learn and numpy, alternating on one core. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isolationForest } from '../src/numerics/forest/isolation-forest.ts'
import { randomFraction, seededRandom } from '../src/numerics/forest/random.ts'
import type { Matrix } from '../src/numerics/matrices/matrix.ts'
import { migration } from '../src/numerics/matrices/migration.ts'
import { discrimination } from '../src/numerics/statistics/discrimination.ts'
import { type OutlierMethod, outlierMethods } from '../src/numerics/statistics/outlier-fences.ts'
import { outliers } from '../src/numerics/statistics/outliers.ts'
import { commit } from './record.ts'

const ROUNDS = 15
/** Duration of the unmeasured rounds at the start, so that both sides run compiled code. */
const WARM_UP_MS = 1_500
const CORE = '1'
const PYTHON = '/usr/bin/python3'

interface Contest {
  readonly name: string
  /** Name of the peer's function in analytics_peers.py. */
  readonly peer: string
  /** The intended ratio of the peer's time to ours. */
  readonly goal: number
  /** Runs once and returns a number that the peer must return too, within `agreement` relative. */
  ours(): number
  readonly agreement: number
}

interface Peer {
  readonly versions: string
  /** Milliseconds and checksum of one run. */
  run(name: string): Promise<[number, number]>
  stop(): void
}

const random = seededRandom(2026)
const bell = () =>
  Math.sqrt(-2 * Math.log(1 - randomFraction(random))) * Math.cos(2 * Math.PI * randomFraction(random))

const labels = Uint8Array.from({ length: 1_000_000 }, () => (randomFraction(random) < 0.05 ? 1 : 0))
const scores = Float64Array.from(labels, (label) => 1 / (1 + Math.exp(3 - label - bell())))
const table: Matrix = {
  values: Float64Array.from({ length: 1_000_000 }, bell),
  rows: 100_000,
  columns: 10,
}
/** Every rating can change to every other, so the chain converges within a few periods. */
const dense = counts(() => 1 + Math.floor(1_000 * randomFraction(random)))
/** Realistic ratings: mostly unchanged, otherwise moved by one or two notches; default is absorbing. */
const notches = counts((from, to) =>
  from === 99 ? 0 : Math.floor(10_000 * Math.exp(-2 * Math.abs(from - to)) * (0.5 + randomFraction(random))),
)

function counts(count: (from: number, to: number) => number): Matrix {
  const values = Float64Array.from({ length: 10_000 }, (_, cell) => count(Math.floor(cell / 100), cell % 100))
  return { values, rows: 100, columns: 100 }
}

const project = (matrix: Matrix) => migration(matrix, 1_000).multiPeriod.values[57]
const flagged = (method: OutlierMethod) => outliers(table, method, 3).reduce((sum, flag) => sum + flag, 0)

const contests: Contest[] = [
  {
    name: 'AUC + KS + Gini, 1,000,000 rows',
    peer: 'discrimination',
    goal: 3,
    agreement: 1e-9,
    ours: () => discrimination(labels, scores).auc,
  },
  ...outlierMethods.map((method) => ({
    name: `outliers ${method}, 100,000 × 10`,
    peer: method,
    goal: 1.5,
    agreement: 1e-9,
    ours: () => flagged(method),
  })),
  {
    name: 'isolation forest fit + score, 100,000 × 10, 100 trees',
    peer: 'forest',
    goal: 5,
    agreement: 0.05,
    ours: () =>
      isolationForest(table, { trees: 100, contamination: 0.1, seed: 1 }).scores.reduce((a, b) => a + b) /
      1e5,
  },
  {
    name: 'migration 100 × 100, 1,000 periods, every rating reaches every other',
    peer: 'dense',
    goal: 0.5,
    agreement: 1e-9,
    ours: () => project(dense),
  },
  {
    name: 'migration 100 × 100, 1,000 periods, notches and an absorbing default',
    peer: 'notches',
    goal: 0.5,
    agreement: 1e-9,
    ours: () => project(notches),
  },
]

await main()

async function main(): Promise<void> {
  pinSelf()
  const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
  const peer = await startPeer(folder)
  const results = []
  for (const contest of contests) results.push(await compete(contest, peer))
  peer?.stop()
  rmSync(folder, { recursive: true })

  const versions = `Node.js ${process.versions.node}, ${peer?.versions ?? 'no peer installed'}`
  console.log(`# Analytics: medians of ${ROUNDS} alternating rounds on core ${CORE}`)
  console.log(`# ${cpus()[0].model}, ${arch()}; ${versions}`)
  for (const { name, ratio, goal, ours, theirs } of results)
    console.log(line(name, ratio, goal, ours, theirs))
  const at = new Date().toISOString()
  const record = { at, commit: commit(), machine: cpus()[0].model, versions, rounds: ROUNDS, results }
  writeFileSync(new URL('results/analytics.json', import.meta.url), `${JSON.stringify(record, null, 2)}\n`)
}

function line(name: string, ratio: number | null, goal: number, ours: number, theirs: number | null): string {
  const verdict = ratio === null ? 'peer not installed' : `${ratio.toFixed(2)}× (goal ${goal}×)`
  const peer = theirs === null ? '' : `, peer ${theirs.toFixed(2)} ms`
  return `${verdict.padEnd(22)} ${name}: ours ${ours.toFixed(2)} ms${peer}`
}

async function compete({ name, peer: peerName, goal, ours, agreement }: Contest, peer: Peer | undefined) {
  const mine: number[] = []
  const others: number[] = []
  const warm = performance.now() + WARM_UP_MS
  while (mine.length < ROUNDS) {
    const started = performance.now()
    const answer = ours()
    const spent = performance.now() - started
    const [peerSpent, peerAnswer] = (await peer?.run(peerName)) ?? [Number.NaN, answer]
    if (Math.abs(answer / peerAnswer - 1) > agreement)
      throw new Error(`${name}: we say ${answer}, the peer says ${peerAnswer}`)
    if (started < warm) continue
    mine.push(spent)
    others.push(peerSpent)
  }
  if (peer === undefined) return { name, goal, ratio: null, ours: median(mine), theirs: null }
  // Ratios are taken round by round: a slow period of the machine affects both sides and leaves the ratio unchanged.
  const ratio = median(others.map((time, round) => time / mine[round]))
  return { name, goal, ratio, ours: median(mine), theirs: median(others) }
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]
}

/** Pins all threads of this process to the core that the peer also uses. */
function pinSelf(): void {
  try {
    execFileSync('taskset', ['-a', '-p', '-c', CORE, String(process.pid)], { stdio: 'ignore' })
  } catch {
    console.log('# not pinned, since taskset is not installed; the ratios are less precise')
  }
}

/** The peers in one Python process, which runs them on request; undefined if they are not installed. */
async function startPeer(folder: string): Promise<Peer | undefined> {
  for (const [file, data] of Object.entries({
    labels,
    scores,
    table: table.values,
    dense: dense.values,
    notches: notches.values,
  }))
    writeFileSync(join(folder, file), data)
  const script = new URL('analytics_peers.py', import.meta.url).pathname
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' }
  const child: ChildProcessWithoutNullStreams = spawn('taskset', ['-c', CORE, PYTHON, script, folder], {
    env,
  })
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const first = await lines.next()
  if (first.done === true || !first.value.startsWith('ready ')) {
    console.log(
      '# numpy or scikit-learn is not installed (Debian: python3-numpy, python3-sklearn): no ratios',
    )
    return undefined
  }
  return {
    versions: first.value.slice('ready '.length),
    async run(name) {
      child.stdin.write(`${name}\n`)
      const reply = await lines.next()
      const [spent, answer] = String(reply.value).split(' ').map(Number)
      return [spent, answer]
    },
    stop: () => child.stdin.end(),
  }
}
