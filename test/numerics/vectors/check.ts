/**
 * Compares the Variance Gamma kernel with the lines that variance_gamma.py wrote: `node test/numerics/vectors/check.ts [--record] LINES…`.
 * With `--record` the result is kept for docs/accuracy.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { varianceGammaOperation } from '../../../src/catalogue/pricing/variance-gamma.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { table } from '../../support/command-line.ts'
import { keptRows, RESULTS, type SweptRow } from '../sweep/results.ts'

const PATH = varianceGammaOperation.path
const DOMAIN =
  'spot and strike 1e-300…1e300, maturity 1e-300…1e300, T/ν from 1e-100, deviation 0…1e12, 1 − θν − σ²ν/2 1e-14…1e70; 13 families, each value by two methods'

interface Line {
  readonly family: string
  readonly input: Readonly<Record<'S' | 'K' | 'T' | 'r' | 'sigma' | 'theta_vg' | 'nu' | 'q', number>>
  readonly exact?: string
  readonly cond?: number | null
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean' } },
})
const lines = positionals.flatMap((path) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line.replaceAll('NaN', 'null'))),
)
const twice = lines.filter(({ exact }) => exact !== undefined)
const judged = twice.flatMap((line) => judge(line) ?? [])
const wrong = judged.filter(({ share }) => !(share <= 1))
const row: SweptRow = {
  path: PATH,
  domain: DOMAIN,
  points: twice.length,
  refused: twice.length - judged.length,
  skipped: lines.length - twice.length,
  wrong: wrong.length,
  // Where rounding an input changes the price by more than 1e-13, the error says little about the kernel.
  worst: Math.max(0, ...judged.filter(({ cond }) => cond < 1_000).map(({ error }) => error)),
  share: Math.max(0, ...judged.map(({ share }) => share)),
}
console.log(
  table([
    ['values by two methods', row.points],
    ['by one method only', row.skipped],
    ['refused', row.refused],
    ['worst error at a condition below 1,000', row.worst.toExponential(1)],
    ['largest share of the tolerance', `${(100 * row.share).toPrecision(2)} %`],
    ['wrong', row.wrong],
  ]),
)
for (const one of wrong) console.log(JSON.stringify(one))
if (wrong.length > 0) process.exitCode = 1
if (values.record) {
  const others = keptRows().filter(({ path }) => path !== PATH)
  writeFileSync(RESULTS, `${JSON.stringify([row, ...others], null, 2)}\n`)
}

/** The error, and its share of 1e-12 or of 100 roundings of the condition number; undefined where the price is refused. */
function judge(line: Line): { line: Line; error: number; share: number; cond: number } | undefined {
  const price = priceOf(line)
  if (price === undefined) return undefined
  const error = Math.abs(price / Number(line.exact) - 1)
  const cond = line.cond ?? 1
  return { line, error, cond, share: error / Math.max(1e-12, 100 * 2 ** -53 * cond) }
}

function priceOf({ input }: Line): number | undefined {
  try {
    return varianceGammaOperation.compute(input).vg_call_price
  } catch (error) {
    if (error instanceof DomainError) return undefined
    throw error
  }
}
