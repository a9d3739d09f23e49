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
import { type CrashOptions, type CrashResult, crash, total } from './crash/run.ts'
import { FAULTS, type FaultCounts, type FaultKind, isDatabase } from './crash/schedule.ts'
import { type FailoverRound, failover } from './failover/run.ts'

interface Flags {
  readonly database: string
  readonly seed?: string
  readonly rounds: string
  readonly nodes: string
  readonly processes: string
  readonly faults?: string
  readonly failover?: boolean
  readonly asynchronous?: boolean
}

const MAX_SHOWN = 20

async function run(flags: Flags): Promise<void> {
  if (flags.failover) return await runFailover(flags)
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
const MORE_OFTEN: FaultCounts = { node: 3, process: 3, commit: 3, flush: 2, worker: 3, move: 4 }

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

/** Destroys the primary of a PostgreSQL that Patroni keeps. */
async function runFailover({ asynchronous = false, rounds, seed: given }: Flags): Promise<void> {
  const seed = readSeed(given)
  const standby = asynchronous ? 'an asynchronous' : 'a synchronous'
  console.log(`failover of PostgreSQL with ${standby} standby, 2 nodes, seed ${seed}`)
  const { ended, rounds: results } = await failover({
    seed,
    rounds: readNumber('rounds', rounds, 1, 1_000),
    synchronous: !asynchronous,
    onRound: (round, result) => console.log(`round ${round}: ${outageOf(result)}`),
  })
  const violations = [...ended, ...results.flatMap((result) => result.violations)]
  const sum = (value: (round: FailoverRound) => number) => results.reduce((all, one) => all + value(one), 0)
  const outages = results.flatMap((result) => result.outages)
  const seconds = outages.map((outage) => outage.seconds).sort((a, b) => a - b)
  const lost = sum((result) => result.lost)
  console.log(
    table([
      ['', ''],
      ['rounds', results.length],
      ['requests', sum((result) => result.requests)],
      ['replies', statusCounts(total(results.map((result) => result.statuses)))],
      ['refunds', sum((result) => result.refunds)],
      [
        'seconds until calls succeed',
        `median ${shown(seconds[seconds.length >> 1])}, worst ${shown(seconds.at(-1)!)}`,
      ],
      ['longest wait for a 503', `${Math.round(Math.max(...outages.map((one) => one.longestRefusalMs)))} ms`],
      ['acknowledged calls lost', lost],
      ...(asynchronous ? [['audit rows and keys lost', sum((result) => result.forgotten)] as const] : []),
      ['other violations', violations.length],
    ]),
  )
  for (const violation of violations.slice(0, MAX_SHOWN)) console.log(`  ${violation}`)
  // An asynchronous standby cannot keep all that was acknowledged; the run states the loss.
  if (violations.length > 0 || (lost > 0 && !asynchronous)) process.exitCode = 1
}

const shown = (seconds: number): string => `${seconds.toFixed(1)} s`

const outageOf = ({ lost, outages, requests, violations }: FailoverRound): string =>
  `calls succeed after ${outages.map(({ seconds }) => shown(seconds)).join(' and ')}; ${requests} requests, ${lost} lost, ${violations.length} violations`

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
    ['schedule digest', result.scheduleDigest],
    ['ledger digest', result.ledgerDigest],
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
    .option(
      '--failover',
      'destroy the primary of a PostgreSQL that Patroni keeps (Debian: patroni, etcd-server, haproxy)',
    )
    .option('--asynchronous', 'with --failover: the standby is asynchronous, and the loss is counted')
    .option('--nodes <number>', 'nodes on the PostgreSQL database or the Citus cluster', '2')
    .option('--processes <number>', 'processes of each node, not on SQLite (QUANTD_PROCESSES)', '1')
    .action(run),
)
