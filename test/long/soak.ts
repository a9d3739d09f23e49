/** `npm run soak`: mixed load with faults on both databases; checks memory, open file descriptors and the ledger. */
import { Command } from 'commander'
import {
  kindRows,
  OptionError,
  type Row,
  readNumber,
  readSeed,
  runCommand,
  table,
} from '../support/command-line.ts'
import { MOST_DESCRIPTORS_MORE, type SoakOptions, type SoakResult, soak } from './soak/run.ts'

interface Flags {
  readonly database: string
  readonly minutes: string
  readonly seed?: string
}

const MAX_SHOWN = 10
const SHOWN_BYTES = 800

async function run(flags: Flags): Promise<void> {
  const databases = { sqlite: ['sqlite'], postgres: ['postgres'], both: ['sqlite', 'postgres'] }[
    flags.database
  ]
  if (databases === undefined)
    throw new OptionError(`--database is "${flags.database}"; it takes sqlite, postgres or both.`)
  const minutes = readNumber('minutes', flags.minutes, 1, 10_000)
  const seed = readSeed(flags.seed)
  for (const database of databases as SoakOptions['database'][]) {
    const options: SoakOptions = {
      database,
      seed,
      minutes: minutes / databases.length,
      onPhase: (phase, { requests, violations }) =>
        console.log(`${database}, ${phase}: ${requests} requests so far, ${violations.length} violations`),
    }
    console.log(`soaking ${database} for ${options.minutes} minutes, seed ${seed}`)
    const result = await soak(options)
    console.log(summary(options, result))
    if (result.faults.length + result.tally.violations.length > 0) process.exitCode = 1
  }
}

function summary({ database }: SoakOptions, result: SoakResult): string {
  const { descriptors, faults, folder, lives, refunds, seconds, slope, struck, tally } = result
  const rows: Row[] = [
    ['database', database],
    ['requests', `${tally.requests} in ${seconds.toFixed(0)} s`],
    ['account life cycles', lives],
    ['node kills, database restarts, cut connections', `${struck.kills}, ${struck.restarts}, ${struck.cuts}`],
    ['refunds', refunds],
    ['seconds in which a process lacked processor time', result.starvedSeconds.toFixed(0)],
    ...kindRows(tally.kinds),
    ['slowest reply', `${tally.slowestMs.toFixed(0)} ms`],
    [
      'memory after warm-up',
      `${slope.firstMb} to ${slope.lastMb} MB, ${slope.mbPerMinute.toFixed(2)} ± ${slope.error.toFixed(2)} MB per minute over ${slope.windows} windows (bound ${result.boundMbPerMinute.toFixed(1)})`,
    ],
    [
      'descriptors without load',
      `${descriptors.base} after warm-up, ${descriptors.steady} after the steady phase, ${descriptors.end} at the end (at most ${MOST_DESCRIPTORS_MORE} more allowed)`,
    ],
    ['violations', tally.violations.length + faults.length],
  ]
  const shown = tally.violations
    .slice(0, MAX_SHOWN)
    .map(
      ({ fault, reply, sent }) =>
        `✖ ${fault}\n  sent: ${JSON.stringify(sent.toString('latin1', 0, SHOWN_BYTES))}\n  reply ${reply?.status ?? 'none'}: ${reply?.body.toString('utf8', 0, SHOWN_BYTES) ?? ''}`,
    )
  const kept = folder === null ? [] : [`files kept in ${folder}`]
  return [
    '',
    table(rows),
    ...faults.slice(0, MAX_SHOWN).map((fault) => `✖ ${fault}`),
    ...shown,
    ...kept,
  ].join('\n')
}

await runCommand(
  new Command('soak')
    .description('Put mixed load with faults on a service; check its memory, file descriptors and ledger.')
    .option('--minutes <number>', 'minutes in total, divided among the databases', '30')
    .option('--database <name>', 'sqlite, postgres or both', 'both')
    .option('--seed <number>', 'repeat the requests of an earlier run; their order may differ')
    .action(run),
)
