/**
 * Compares every operation with exact arithmetic over its whole domain: `npm run sweep -- [--seed N] [--factor N] [--only TEXT]
 * [--record]`. A factor multiplies the number of points; `--record` keeps the results for docs/accuracy.md and
 * writes the reference vectors that modules of the sweep make.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { Failure } from '../../src/base/failure.ts'
import { operations } from '../../src/compute/catalogue/index.ts'
import type { Operation } from '../../src/compute/catalogue/operation.ts'
import { compileOperation } from '../../src/compute/computation.ts'
import { readNumber, readSeed, runCommand, table } from '../support/command-line.ts'
import { hasExactPython } from '../support/exact-python.ts'
import { type Call, type Drawn, inputs, type Verdict, vectors, verdicts } from './sweep/oracle.ts'
import { keptRows, RESULTS, type Swept } from './sweep/results.ts'

const MOST_SHOWN = 8
const VECTORS = join(import.meta.dirname, '../../src/app/cli/selftest/vectors')

interface Options {
  readonly seed?: string
  readonly factor: string
  readonly only: string
  readonly record?: true
}

const command = new Command('sweep')
  .option('--seed <number>', 'repeats a sweep')
  .option('--factor <number>', 'multiplies the number of points', '1')
  .option('--only <text>', 'operations whose path contains the text', '')
  .option('--record', 'keeps the results for docs/accuracy.md, and writes reference vectors')
  .action(sweep)
await runCommand(command)

async function sweep(options: Options): Promise<void> {
  if (!hasExactPython()) throw new Error('The sweep needs Debian’s python3-gmpy2.')
  const seed = readSeed(options.seed)
  const factor = readNumber('factor', options.factor, 1, 1_000)
  console.log(`seed ${seed}`)
  const sweeps = await inputs(seed, factor, options.only)
  const unswept = operations.filter(
    ({ path }) => path.includes(options.only) && !sweeps.some((drawn) => drawn.path === path),
  )
  if (unswept.length > 0)
    throw new Error(`No module of sweep/ draws ${unswept.map(({ path }) => path).join(', ')}.`)
  const rows: Swept[] = []
  for (const drawn of sweeps) rows.push(await sweepOne(drawn))
  if (options.record) {
    const kept = merged(rows).map((row) => JSON.stringify(row))
    writeFileSync(RESULTS, `[\n${kept.join(',\n')}\n]\n`)
    for (const { name, text } of await vectors(options.only))
      writeFileSync(join(VECTORS, `${name}.json`), text)
  }
  if (rows.some(({ wrong }) => wrong > 0)) process.exitCode = 1
}

async function sweepOne({ inputs, path, text }: Drawn): Promise<Swept> {
  const calls = inputs.map(answerer(path))
  const found = await verdicts(calls)
  const row = summary(path, text, found)
  console.log(
    table([
      [path, `${row.points} points, ${row.refused} rightly refused, ${row.skipped} not judged`],
      [
        '  worst error',
        `${row.worst.toExponential(1)}, ${(100 * row.share).toPrecision(2)} % of the tolerance`,
      ],
      ['  wrong', row.wrong],
    ]),
  )
  const wrong = calls.filter((_, index) => isWrong(found[index]))
  for (const call of wrong.slice(0, MOST_SHOWN))
    console.log(JSON.stringify({ ...found[calls.indexOf(call)], ...call }).slice(0, 1_500))
  return row
}

function answerer(path: string): (input: object) => Call {
  const { read } = compileOperation(operations.find((operation) => operation.path === path) as Operation)
  return (input) => {
    const job = read(Buffer.from(JSON.stringify(input)))
    const result = job instanceof Failure ? job : job.run()
    return result instanceof Failure
      ? { path, input, refused: result.message }
      : { path, input, output: JSON.parse(result.pieces.join('')) }
  }
}

function isWrong({ share, wrong }: Verdict): boolean {
  return wrong !== undefined || (share !== undefined && !(share <= 1))
}

function summary(path: string, text: string, found: readonly Verdict[]): Swept {
  return {
    path,
    domain: text,
    points: found.length,
    refused: found.filter(({ refused }) => refused).length,
    skipped: found.filter(({ skipped }) => skipped !== undefined).length,
    wrong: found.filter(isWrong).length,
    worst: Math.max(0, ...found.map(({ error }) => error ?? 0)),
    share: Math.max(0, ...found.map(({ share }) => share ?? 0)),
  }
}

/** The kept rows, with the new ones in their place. */
function merged(rows: readonly Swept[]): Swept[] {
  const byPath = new Map([...keptRows(), ...rows].map((row) => [row.path, row]))
  return operations.flatMap(({ path }) => byPath.get(path) ?? [])
}
