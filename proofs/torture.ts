/** `npm run test:crash`: kills real servers under load and checks that the ledger stays exact. */
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

interface Flags {
  readonly database: string
  readonly seed?: string
  readonly rounds: string
  readonly nodes: string
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
    faults: database === 'sqlite' ? { node: 4, database: 0, commit: 0 } : { node: 4, database: 1, commit: 3 },
    onRound: (round, result) => console.log(progress(round, result)),
  }
  console.log(`torture of ${database}, ${nodes} node${nodes === 1 ? '' : 's'}, seed ${options.seed}`)
  const result = await torture(options)
  console.log(summary(options, result))
  if (result.violations.length > 0) process.exitCode = 1
}

const progress = (round: number, { nodeKills, databaseKills, cuts, requests, violations }: RoundResult) =>
  `round ${round}: ${nodeKills} node kills, ${databaseKills} database kills, ${cuts} cuts, ${requests} requests, ${violations.length} violations`

function summary({ database, nodes, seed }: TortureOptions, result: TortureResult): string {
  const { violations } = result
  const rows: Row[] = [
    ['database', database],
    ['nodes', nodes],
    ['seed', seed],
    ['rounds', result.rounds],
    ['node kills', result.nodeKills],
    ['database kills', result.databaseKills],
    ['connections cut at COMMIT', result.cuts],
    ['requests', result.requests],
    ['replies', statusCounts(result.statuses)],
    ['refunds', result.refunds],
    ['schedule digest', result.scheduleDigest],
    ['ledger digest', result.booksDigest],
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

await runCommand(
  new Command('test:crash')
    .description('Kill servers, databases and connections under load, and check that the ledger stays exact.')
    .option('--database <name>', 'sqlite or postgres', 'sqlite')
    .option('--seed <number>', 'replay the schedule of an earlier run')
    .option('--rounds <number>', 'number of rounds', '5')
    .option('--nodes <number>', 'nodes on the PostgreSQL database', '2')
    .action(run),
)
