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
} from './command-line.ts'
import type { RoundResult } from './torture/round.ts'
import { type TortureOptions, type TortureResult, torture } from './torture/run.ts'
import { FAULTS, type FaultCounts, type FaultKind } from './torture/schedule.ts'

interface Flags {
  readonly database: string
  readonly seed?: string
  readonly rounds: string
  readonly nodes: string
  readonly faults?: string
}

const MAX_SHOWN = 20

async function run(flags: Flags): Promise<void> {
  const { database } = flags
  if (database !== 'sqlite' && database !== 'postgres')
    throw new OptionError(`--database is "${database}"; it takes sqlite or postgres.`)
  const nodes = database === 'sqlite' ? 1 : readNumber('nodes', flags.nodes, 1, 16)
  const options: TortureOptions = {
    database,
    seed: readSeed(flags.seed),
    rounds: readNumber('rounds', flags.rounds, 1, 10_000),
    nodes,
    faults: faultCounts(database, flags.faults),
    onRound: (round, result) => console.log(progress(round, result)),
  }
  console.log(`torture of ${database}, ${nodes} node${nodes === 1 ? '' : 's'}, seed ${options.seed}`)
  const result = await torture(options)
  console.log(summary(options, result))
  if (result.violations.length > 0) process.exitCode = 1
}

/** Per round, each kind that applies to the database once, and the kills and cuts more often. */
const MORE_OFTEN: FaultCounts = { node: 3, commit: 3, flush: 2 }

function faultCounts(database: TortureOptions['database'], names: string | undefined): FaultCounts {
  const known = Object.entries(FAULTS).flatMap(([kind, on]) =>
    (on as readonly string[]).includes(database) ? [kind as FaultKind] : [],
  )
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

function summary({ database, nodes, seed }: TortureOptions, result: TortureResult): string {
  const { violations } = result
  const rows: Row[] = [
    ['database', database],
    ['nodes', nodes],
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
          `  replay: npm run test:crash -- --database ${database} --seed ${seed}`,
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
    .option('--database <name>', 'sqlite or postgres', 'sqlite')
    .option('--seed <number>', 'replay the schedule of an earlier run')
    .option('--rounds <number>', 'number of rounds', '5')
    .option('--faults <names>', 'only these kinds, separated by commas')
    .option('--nodes <number>', 'nodes on the PostgreSQL database', '2')
    .action(run),
)
