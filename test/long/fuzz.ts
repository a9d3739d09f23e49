/** `npm run fuzz`: sends malformed requests to a real service, and checks every reply and the ledger. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { type FuzzOptions, type FuzzResult, fuzz } from './fuzz/run.ts'
import type { Violation } from './fuzz/tally.ts'

interface Flags {
  readonly database: string
  readonly seed?: string
  readonly requests: string
  readonly minutes?: string
  readonly lanes: string
  readonly lane?: string
  readonly arrow?: boolean
}

const MAX_SHOWN = 10
const SHOWN_BYTES = 1_500

async function run(flags: Flags): Promise<void> {
  const { database } = flags
  if (database !== 'sqlite' && database !== 'postgres')
    throw new OptionError(`--database is "${database}"; it takes sqlite or postgres.`)
  const options: FuzzOptions = {
    database,
    seed: readSeed(flags.seed),
    requests: readNumber('requests', flags.requests, 1, 100_000_000),
    ...(flags.minutes !== undefined && { minutes: readNumber('minutes', flags.minutes, 1, 10_000) }),
    lanes: readNumber('lanes', flags.lanes, 1, 1_000),
    onlyLane: flags.lane === undefined ? null : readNumber('lane', flags.lane, 0, 999),
    onlyArrow: flags.arrow ?? false,
    onCheck: ({ requests, violations }) =>
      console.log(`${requests} requests, ${violations.length} violations`),
  }
  console.log(`fuzzing on ${database}, ${options.requests} requests from seed ${options.seed}`)
  const result = await fuzz(options)
  console.log(summary(options, result))
  if (result.faults.length + result.tally.violations.length > 0) process.exitCode = 1
}

function summary(options: FuzzOptions, { faults, folder, residentMb, seconds, tally }: FuzzResult): string {
  const rate = Math.round(tally.requests / seconds)
  const rows: Row[] = [
    ['seed', options.seed],
    ['requests', `${tally.requests} in ${seconds.toFixed(0)} s, ${rate} per second`],
    ...[...tally.kinds].sort().map(([kind, statuses]): Row => [`  ${kind}`, statusCounts(statuses)]),
    ['slowest reply', `${tally.slowestMs.toFixed(0)} ms`],
    ['resident memory', `${residentMb} MB at most`],
    ['violations', tally.violations.length + faults.length],
  ]
  const shown = tally.violations.slice(0, MAX_SHOWN).map((one) => violationText(options, one))
  if (folder !== null) keep(folder, tally.violations)
  const kept = folder === null ? [] : [`request bytes kept in ${folder}`]
  return [
    '',
    table(rows),
    ...faults.slice(0, MAX_SHOWN).map((fault) => `✖ ${fault}`),
    ...shown,
    ...kept,
  ].join('\n')
}

function violationText(
  { database, lanes, onlyArrow, requests, seed }: FuzzOptions,
  { fault, number, reply, sent }: Violation,
): string {
  const command = `npm run fuzz -- --database ${database} --seed ${seed} --requests ${Math.min(requests, number + 1)} --lanes ${lanes} --lane ${number % lanes}${onlyArrow ? ' --arrow' : ''}`
  const replyLines = reply === null ? [] : [`  reply ${reply.status}: ${shownBytes(reply.body)}`]
  return [
    `✖ request ${number}: ${fault}`,
    `  sent: ${shownBytes(sent)}`,
    ...replyLines,
    `  replay: ${command}`,
  ].join('\n')
}

/** The bytes as a JavaScript string, truncated to SHOWN_BYTES. */
const shownBytes = (bytes: Buffer): string => {
  const text = JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES))
  return bytes.length > SHOWN_BYTES ? `${text} and ${bytes.length - SHOWN_BYTES} more bytes` : text
}

function keep(folder: string, violations: readonly Violation[]): void {
  mkdirSync(folder, { recursive: true })
  for (const { number, sent } of violations) writeFileSync(join(folder, `request-${number}.bin`), sent)
}

await runCommand(
  new Command('fuzz')
    .description(
      'Send mutated requests and malformed bytes to a service; check the replies, the ledger and the process.',
    )
    .option('--database <name>', 'sqlite or postgres', 'sqlite')
    .option('--seed <number>', 'repeat the requests of an earlier run')
    .option('--requests <number>', 'number of requests', '100000')
    .option(
      '--minutes <number>',
      'end after this time at the latest, and check that memory and descriptors do not grow',
    )
    .option('--lanes <number>', 'number of concurrent callers; the same seed needs the same number', '48')
    .option('--arrow', 'send mutated Arrow streams alone')
    .option('--lane <number>', 'run only the caller of this number')
    .action(run),
)
