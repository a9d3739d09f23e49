/** `npm run soak`: mixed load for half an hour on both databases, with faults; memory, descriptors and books are checked. */
import { randomInt } from 'node:crypto'
import { Command } from 'commander'
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
  if (databases === undefined) throw new RangeError('--database takes sqlite, postgres or both')
  const minutes = Number(flags.minutes)
  if (!(minutes >= 1 && minutes <= 10_000)) throw new RangeError('--minutes takes a number from 1 to 10000')
  const seed = flags.seed === undefined ? randomInt(1, 2 ** 31) : Number(flags.seed)
  if (!Number.isSafeInteger(seed)) throw new RangeError('--seed takes a whole number')
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
  const lines: [string, string | number][] = [
    ['database', database],
    ['requests', `${tally.requests} in ${seconds.toFixed(0)} s`],
    ['lives of accounts', lives],
    ['node kills, database restarts, cuts', `${struck.kills}, ${struck.restarts}, ${struck.cuts}`],
    ['refunds', refunds],
    ...[...tally.kinds]
      .sort()
      .map(([kind, statuses]): [string, string] => [`  ${kind}`, statusesOf(statuses)]),
    ['slowest reply', `${tally.slowestMs.toFixed(0)} ms`],
    [
      'memory after warm-up',
      `${slope.firstMb} to ${slope.lastMb} MB, ${slope.mbPerMinute.toFixed(2)} ± ${slope.error.toFixed(2)} MB a minute over ${slope.windows} windows (bound ${result.boundMbPerMinute.toFixed(1)})`,
    ],
    [
      'descriptors at rest',
      `${descriptors.base} after warm-up, ${descriptors.steady} then, ${descriptors.end} at the end (bound ${MOST_DESCRIPTORS_MORE} more)`,
    ],
    ['violations', tally.violations.length + faults.length],
  ]
  const table = lines.map(([name, value]) => `${name.padEnd(38)}${value}`).join('\n')
  const shown = tally.violations
    .slice(0, MAX_SHOWN)
    .map(
      ({ fault, reply, sent }) =>
        `✖ ${fault}\n  sent: ${JSON.stringify(sent.toString('latin1', 0, SHOWN_BYTES))}\n  answered ${reply?.status ?? 'nothing'}: ${reply?.body.toString('utf8', 0, SHOWN_BYTES) ?? ''}`,
    )
  const kept = folder === null ? [] : [`kept: ${folder}`]
  return ['', table, ...faults.slice(0, MAX_SHOWN).map((fault) => `✖ ${fault}`), ...shown, ...kept].join('\n')
}

const statusesOf = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status || 'none'}: ${count}`)
    .join(', ')

await new Command('soak')
  .description(
    'Load a service with everything at once for minutes, with faults, and check memory, descriptors and ledger.',
  )
  .option('--minutes <number>', 'in all; each database has its share', '30')
  .option('--database <name>', 'sqlite, postgres or both', 'both')
  .option('--seed <number>', 'repeats the requests of an earlier run, though not their order')
  .action(run)
  .parseAsync()
  .catch((error) => {
    console.error(error instanceof RangeError ? `soak: ${error.message}` : error)
    process.exit(1)
  })
