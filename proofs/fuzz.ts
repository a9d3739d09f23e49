/** `npm run fuzz`: sends hostile requests to a real service and checks every reply, and the ledger at the end. */
import { randomInt } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { type FuzzOptions, type FuzzResult, fuzz } from './fuzz/run.ts'
import type { Violation } from './fuzz/tally.ts'

interface Flags {
  readonly database: string
  readonly seed?: string
  readonly requests: string
  readonly lanes: string
  readonly lane?: string
}

const MAX_SHOWN = 10
const SHOWN_BYTES = 1_500

async function run(flags: Flags): Promise<void> {
  const { database } = flags
  if (database !== 'sqlite' && database !== 'postgres')
    throw new RangeError('--database takes sqlite or postgres')
  const options: FuzzOptions = {
    database,
    seed: flags.seed === undefined ? randomInt(1, 2 ** 31) : whole('seed', flags.seed, 2 ** 31),
    requests: whole('requests', flags.requests, 100_000_000),
    lanes: Math.max(1, whole('lanes', flags.lanes, 1_000)),
    onlyLane: flags.lane === undefined ? null : whole('lane', flags.lane, 999),
    onEpoch: ({ requests, violations }) =>
      console.log(`${requests} requests, ${violations.length} violations`),
  }
  console.log(`fuzzing on ${database}, ${options.requests} requests from seed ${options.seed}`)
  const result = await fuzz(options)
  console.log(summary(options, result))
  if (result.faults.length + result.tally.violations.length > 0) process.exitCode = 1
}

function whole(name: string, text: string, high: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > high)
    throw new RangeError(`--${name} takes a whole number up to ${high}`)
  return value
}

function summary(
  options: FuzzOptions,
  { faults, folder, health, processor, residentMb, seconds, tally }: FuzzResult,
): string {
  const rate = Math.round(tally.requests / seconds)
  const microseconds = (used: number) => ((used / tally.requests) * 1e6).toFixed(0)
  const lines: [string, string | number][] = [
    ['seed', options.seed],
    ['requests', `${tally.requests} in ${seconds.toFixed(0)} s, ${rate} a second`],
    ...[...tally.kinds]
      .sort()
      .map(([kind, statuses]): [string, string] => [`  ${kind}`, statusesOf(statuses)]),
    [
      'processor time a request',
      `service ${microseconds(processor.service)} µs, fuzzer ${microseconds(processor.fuzzer)} µs`,
    ],
    ['slowest reply', `${tally.slowestMs.toFixed(0)} ms`],
    [
      '/healthz',
      `p99 ${health.p99Ms.toFixed(1)} ms, longest ${health.longestMs.toFixed(1)} ms of ${health.count}`,
    ],
    [
      'resident memory',
      `${residentMb.start} MB at the start, ${residentMb.most} MB at most, ${residentMb.end} MB at the end`,
    ],
    ['violations', tally.violations.length + faults.length],
  ]
  const table = lines.map(([name, value]) => `${name.padEnd(36)}${value}`).join('\n')
  const shown = tally.violations.slice(0, MAX_SHOWN).map((one) => violationText(options, one))
  if (folder !== null) keep(folder, tally.violations)
  const kept = folder === null ? [] : [`kept, each request as bytes: ${folder}`]
  return ['', table, ...faults.slice(0, MAX_SHOWN).map((fault) => `✖ ${fault}`), ...shown, ...kept].join('\n')
}

const statusesOf = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status || 'none'}: ${count}`)
    .join(', ')

function violationText(
  { database, lanes, requests, seed }: FuzzOptions,
  { fault, number, reply, sent }: Violation,
): string {
  const again = `npm run fuzz -- --database ${database} --seed ${seed} --requests ${Math.min(requests, number + 1)} --lanes ${lanes} --lane ${number % lanes}`
  const answer = reply === null ? [] : [`  answered ${reply.status}: ${shownBytes(reply.body)}`]
  return [
    `✖ request ${number}: ${fault}`,
    `  sent: ${shownBytes(sent)}`,
    ...answer,
    `  again: ${again}`,
  ].join('\n')
}

/** As a JavaScript string, cut where it is long. */
const shownBytes = (bytes: Buffer): string => {
  const text = JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES))
  return bytes.length > SHOWN_BYTES ? `${text} and ${bytes.length - SHOWN_BYTES} bytes more` : text
}

function keep(folder: string, violations: readonly Violation[]): void {
  mkdirSync(folder, { recursive: true })
  for (const { number, sent } of violations) writeFileSync(join(folder, `request-${number}.bin`), sent)
}

await new Command('fuzz')
  .description('Send mutated requests and hostile bytes to a service, and check replies, ledger and process.')
  .option('--database <name>', 'sqlite or postgres', 'sqlite')
  .option('--seed <number>', 'repeats the requests of an earlier run')
  .option('--requests <number>', 'number of requests', '100000')
  .option('--lanes <number>', 'callers at a time; part of what a seed means', '48')
  .option('--lane <number>', 'only this caller')
  .action(run)
  .parseAsync()
  .catch((error) => {
    console.error(error instanceof RangeError ? `fuzz: ${error.message}` : error)
    process.exit(1)
  })
