/** `npm run test:crash`: strikes real servers with faults under load and checks that the ledger stays exact. */
import { Command } from 'commander'
import {
  OptionError,
  type Row,
  readNumber,
  readSeed,
  runCommand,
  statusCounts,
  table,
} from '../support/command-line.ts'
import type { RoundResult } from './crash/round.ts'
import { type CrashOptions, type CrashResult, crash } from './crash/run.ts'
import { FAULTS, type FaultCounts, type FaultKind, isDatabase } from './crash/schedule.ts'

interface Flags {
  readonly database: string
  readonly seed?: string
  readonly rounds: string
  readonly nodes: string
  readonly processes: string
  readonly faults?: string
}

const MAX_SHOWN = 20

async function run(flags: Flags): Promise<void> {
  const { database } = flags
  if (!isDatabase(database))
    throw new OptionError(`--database is "${database}"; it takes sqlite, postgres or citus.`)
  const nodes = database === 'sqlite' ? 1 : readNumber('nodes', flags.nodes, 1, 16)
  const processes = database === 'sqlite' ? 1 : readNumber('processes', flags.processes, 1, 16)
  const options: CrashOptions = {
    database,
    seed: readSeed(flags.seed),
    rounds: readNumber('rounds', flags.rounds, 1, 10_000),
    nodes,
    processes,
    faults: faultCounts(database, processes, flags.faults),
    onRound: (round, result) => console.log(progress(round, result)),
  }
  console.log(
    `crash run of ${database}, ${nodes} node${nodes === 1 ? '' : 's'}, processes ${processes}, seed ${options.seed}`,
  )
  const result = await crash(options)
  console.log(summary(options, result))
  if (result.violations.length > 0) process.exitCode = 1
}

/** Per round, each kind that applies to the database once, and the kills and cuts more often. */
const MORE_OFTEN: FaultCounts = {
  node: 3,
  process: 3,
  database: 3,
  commit: 3,
  flush: 2,
  power: 2,
  worker: 3,
  move: 4,
}

function faultCounts(
  database: CrashOptions['database'],
  processes: number,
  names: string | undefined,
): FaultCounts {
  const known = Object.entries(FAULTS)
    .filter(
      ([kind, on]) => (on as readonly string[]).includes(database) && (processes > 1 || kind !== 'process'),
    )
    .map(([kind]) => kind as FaultKind)
  const wanted = names === undefined ? known : names.split(',')
  const unknown = wanted.find((name) => !known.includes(name as FaultKind))
  if (unknown !== undefined)
    throw new OptionError(`--faults has "${unknown}"; on ${database} it takes ${known.join(', ')}.`)
  return Object.fromEntries(
    known.filter((kind) => wanted.includes(kind)).map((kind) => [kind, MORE_OFTEN[kind] ?? 1]),
  )
}

const countsOf = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([name, count]) => `${name || 'died'}: ${count}`).join(', ')

const progress = (round: number, { requests, struck, violations }: RoundResult) =>
  `round ${round}: ${countsOf(struck)}; ${requests} requests, ${violations.length} violations`

function summary({ database, nodes, processes = 1, seed }: CrashOptions, result: CrashResult): string {
  const { violations } = result
  const rows: Row[] = [
    ['database', database],
    ['nodes', nodes],
    ['processes', processes],
    ['seed', seed],
    ['rounds', result.rounds],
    ['faults', countsOf(result.struck)],
    ['requests', result.requests],
    ['replies', statusCounts(result.statuses)],
    ['refunds', result.refunds],
    ['violations', violations.length],
  ]
  const shown = violations.slice(0, MAX_SHOWN).map((violation) => `  ${violation}`)
  const again =
    violations.length > 0
      ? [
          `  replay: npm run test:crash -- --database ${database} --processes ${processes} --seed ${seed}`,
          `  files kept in ${result.folder}`,
        ]
      : []
  return ['', table(rows), ...shown, ...again].join('\n')
}

// The exit handlers kill the servers and unmount the disks.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

await runCommand(
  new Command('test:crash')
    .description(
      'Strike servers, databases, disks and connections under load, and check that the ledger stays exact.',
    )
    .option('--database <name>', 'sqlite, postgres, or citus (one coordinator and two workers)', 'sqlite')
    .option('--seed <number>', 'replay the schedule of an earlier run')
    .option('--rounds <number>', 'number of rounds', '5')
    .option('--faults <names>', 'only these kinds, separated by commas')
    .option('--nodes <number>', 'nodes on the PostgreSQL database or the Citus cluster', '2')
    .option('--processes <number>', 'processes of each node, not on SQLite (QUANTD_PROCESSES)', '1')
    .action(run),
)
