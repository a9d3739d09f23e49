/**
 * Compares American prices with those of an equation of another kind (`vectors/american_premium.c`), and checks their laws at
 * the same options: `npm run sweep:american -- [RUNS] [SEED] [--lines FILE] [--record]`. A run has 50 options of one pair of
 * rates and takes about a second; FILE has lines that the program wrote before. `--record` writes some of them to the reference
 * vectors. Needs gcc.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { wholeNumber } from '../../src/base/text.ts'
import { DomainError } from '../../src/numerics/domain-error.ts'
import { type AmericanOption, americanOption } from '../../src/numerics/options/american/american-option.ts'
import type { BlackScholesInput } from '../../src/numerics/options/black-scholes.ts'
import { blackScholesGreeks } from '../../src/numerics/options/black-scholes-greeks.ts'
import { optionOf } from '../../src/numerics/results/black-scholes.ts'
import { table } from '../support/command-line.ts'
import { brokenAmericanLaw } from './options/american-laws.ts'

const VECTORS = join(import.meta.dirname, '../../src/app/cli/selftest/vectors/american_premium.json')
const MOST_RECORDED = 350
const MOST_SHOWN = 5
/** A reference with a larger error, in shares of the price, judges nothing. */
const LEAST_REFERENCE = 2e-11
const PRICE_TOLERANCE = 1e-10
const PREMIUM_TOLERANCE = 1e-8
const RATE_TOLERANCE = 1e-7
/** Of price/volatility. */
const VEGA_TOLERANCE = 1e-9

interface Reference {
  readonly input: {
    readonly spot: number
    readonly strike: number
    readonly risk_free_rate: number
    readonly volatility: number
    readonly time_to_maturity: number
    readonly dividend_yield: number
    readonly option_type: 'call' | 'put'
  }
  /** Decimals of 21 digits. */
  readonly price: string
  readonly premium: string
  readonly delta: string
  readonly vega: string
  readonly rho: string
  readonly dividendRho: string
  /** The error of rho and dividend rho. */
  readonly rateError: number
  /** The error of the price, estimated from the other discretisations. */
  readonly priceError: number
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean' }, lines: { type: 'string' } },
})
const runs = wholeNumber(positionals[0] ?? '20', 1, 100_000) ?? usage()
const seed = wholeNumber(positionals[1] ?? '1', 0, 2 ** 31 - 1) ?? usage()

function usage(): never {
  console.error(
    'Usage: npm run sweep:american -- [RUNS] [SEED] [--lines FILE] [--record]; the first two are whole numbers.',
  )
  process.exit(2)
}

const worst = { reference: 0, price: 0, premium: 0, delta: 0, vega: 0, rho: 0, dividendRho: 0 }
const wrong: string[] = []
const broken: string[] = []
const refused: string[] = []
const usable: Reference[] = []
let count = 0
for await (const one of references()) {
  count++
  const option = optionOf(one.input)
  try {
    const law = brokenAmericanLaw(option)
    if (law !== undefined) broken.push(`${law}: ${JSON.stringify(option)}`)
    if (one.priceError > LEAST_REFERENCE * Number(one.price)) continue
    usable.push(one)
    judge(one, americanOption(option))
    judgeRates(one, option)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    refused.push(`${error.message}: ${JSON.stringify(option)}`)
  }
}
console.log(
  table([
    ['options', `${count}, from seed ${seed}; ${count - usable.length} without a reference of 2e-11`],
    ['largest error of a reference', worst.reference.toExponential(1)],
    ['of a price', worst.price.toExponential(1)],
    ['of a premium', `${worst.premium.toExponential(1)} of the greater of 1e-8 of it and 1e-10 of the price`],
    ['of a delta', worst.delta.toExponential(1)],
    ['of a vega', `${worst.vega.toExponential(1)} of its tolerance`],
    ['of a rho', `${worst.rho.toExponential(1)} of its tolerance`],
    ['of a dividend rho', `${worst.dividendRho.toExponential(1)} of its tolerance`],
    ['beyond the tolerance', wrong.length],
    ['broken laws', broken.length],
    ['refused', refused.length],
  ]),
)
const faults = [wrong, broken, refused]
for (const line of faults.flatMap((lines) => lines.slice(0, MOST_SHOWN))) console.log(line)
if (faults.some((lines) => lines.length > 0)) process.exitCode = 1
if (values.record) writeFileSync(VECTORS, vectors())

function judge(one: Reference, got: AmericanOption): void {
  const [price, premium, delta] = [Number(one.price), Number(one.premium), Number(one.delta)]
  const errors = {
    reference: one.priceError / price,
    price: Math.abs(got.price - price) / price,
    premium: Math.abs(got.premium - premium) / Math.max(PREMIUM_TOLERANCE * premium, PRICE_TOLERANCE * price),
    delta: Math.abs(got.delta! - delta) / Math.abs(delta),
  }
  for (const [name, error] of Object.entries(errors))
    worst[name as keyof typeof worst] = Math.max(worst[name as keyof typeof worst], error)
  if (!(errors.price <= PRICE_TOLERANCE && errors.premium <= 1))
    wrong.push(`${JSON.stringify(one)}: price ${got.price}, premium ${got.premium}`)
}

/** Vega and both rhos, to their tolerance; of the rhos it includes the error of the reference. */
function judgeRates(one: Reference, option: BlackScholesInput): void {
  const got = americanOption(option) as Required<AmericanOption>
  const { vega, rho, delta } = blackScholesGreeks(option)
  const { spot, maturity, rate, dividendYield, type, volatility } = option
  const [own, other] = type === 'put' ? [rate, dividendYield] : [dividendYield, rate]
  const begins = own > 0 && other > own ? got.price / own : 0
  const allowed = {
    vega: RATE_TOLERANCE * Math.max(Number(one.vega), vega) + VEGA_TOLERANCE * (got.price / volatility),
    rho: RATE_TOLERANCE * Math.max(Math.abs(Number(one.rho)), Math.abs(rho), begins) + one.rateError,
    dividendRho:
      RATE_TOLERANCE *
        Math.max(Math.abs(Number(one.dividendRho)), maturity * spot * Math.abs(delta), begins) +
      one.rateError,
  }
  for (const name of ['vega', 'rho', 'dividendRho'] as const) {
    const share = Math.abs(got[name] - Number(one[name])) / allowed[name]
    worst[name] = Math.max(worst[name], share)
    if (!(share <= 1)) wrong.push(`${JSON.stringify(one)}: ${name} ${got[name]}`)
  }
}

/** The lines of the compiled program, or those that it wrote before. */
async function* references(): AsyncGenerator<Reference> {
  const folder = mkdtempSync(join(tmpdir(), 'american-'))
  try {
    const input = values.lines === undefined ? program(folder) : createReadStream(values.lines)
    for await (const line of createInterface({ input })) yield JSON.parse(line)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function program(folder: string): Readable {
  const [source, compiled] = [
    join(import.meta.dirname, 'vectors/american_premium.c'),
    join(folder, 'premium'),
  ]
  execFileSync('gcc', ['-O3', '-march=native', '-D_GNU_SOURCE', '-o', compiled, source, '-lm'])
  return spawn(compiled, [String(seed), String(runs)], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout
}

/** Some of the options, at equal distances. */
function vectors(): string {
  const step = Math.ceil(usable.length / MOST_RECORDED)
  const cases = usable
    .filter((_, index) => index % step === 0)
    .map(({ input, price }, index) => ({
      name: `premium_${index}`,
      family: familyOf(input),
      input,
      expected: { price: Number(price) },
      exact: price,
      rel_tol: PRICE_TOLERANCE,
      abs_tol: 0,
    }))
  const head = {
    path: '/quantlib/pricing/american/price',
    result: 'price',
    about: 'American prices',
    source: 'differential equation of the premium in long double (test/numerics/vectors/american_premium.c)',
  }
  const lines = cases.map((one) => `    ${JSON.stringify(one)}`).join(',\n')
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "cases": [\n${lines}\n  ]\n}\n`
}

/** The family of an option, by the place where its boundary begins. */
function familyOf({ option_type, risk_free_rate, dividend_yield }: Reference['input']): string {
  const [own, other] =
    option_type === 'put' ? [risk_free_rate, dividend_yield] : [dividend_yield, risk_free_rate]
  if (own < 0) return 'two_boundaries'
  return other <= own ? 'from_the_strike' : 'from_below'
}
