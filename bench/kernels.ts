/**
 * Time per price of each model on one core, and of options on a forward per result, in rounds alternating with QuantLib where
 * installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { referenceCases } from '../src/app/cli/selftest/vectors.ts'
import { americanOption } from '../src/numerics/options/american/american-option.ts'
import { type BlackScholesInput, blackScholesPrice } from '../src/numerics/options/black-scholes.ts'
import { type VarianceGammaInput, varianceGammaCallPrice } from '../src/numerics/options/variance-gamma.ts'
import { forwardKernels } from './forward-kernels.ts'
import { type Figures, keep, printed, type Row, ratioRow } from './record.ts'

const ROUNDS = 7
const DAYS = 365
const AMERICANS = '256 calls and puts of 18…749 days, within two deviations of the strike'

interface VarianceGammaCase {
  family: string
  input: {
    S: number
    K: number
    T: number
    r: number
    sigma: number
    theta_vg: number
    nu: number
    q?: number
  }
}

const cases = referenceCases<VarianceGammaCase>('variance_gamma')
// QuantLib counts whole days, so both sides price maturities that are rounded to whole days, at least one.
const box = cases
  .filter(({ family }) => family === 'box')
  .map(({ input }): VarianceGammaInput => {
    const { S: spot, K: strike, T, r: rate, sigma, theta_vg: theta, nu, q: dividendYield = 0 } = input
    const maturity = Math.max(1, Math.round(T * DAYS)) / DAYS
    return { spot, strike, rate, sigma, theta, nu, maturity, dividendYield }
  })
const options = blackScholesOptions(1024)
const americans = americanOptions(256)

const peer = compilePeer()
const black = { ours: [] as number[], peer: [] as number[] }
const blackReady: number[] = []
const gamma = { ours: [] as number[], peer: [] as number[] }
const american = { ours: [] as number[], peer: [] as number[] }
const forward = forwardKernels(fractions)
let verdict = ''
for (let round = 0; round < ROUNDS; round++) {
  black.ours.push(timeBlackScholes(400))
  gamma.ours.push(timeVarianceGamma(200))
  american.ours.push(timeAmerican(4))
  for (const kernel of forward) {
    kernel.ours.push(kernel.time(40))
    if (peer !== undefined) kernel.peer.push(Number(askPeer(peer, kernel.what, 40, kernel.lines)[0]))
  }
  if (peer === undefined) continue
  black.peer.push(Number(askPeer(peer, 'bs', 400)[0]))
  blackReady.push(Number(askPeer(peer, 'ready', 400)[0]))
  const [time, failed, wrong] = askPeer(peer, 'vg', 20)
  gamma.peer.push(Number(time))
  american.peer.push(Number(askPeer(peer, 'american', 4)[0]))
  verdict = `it throws on ${failed} of ${box.length} and is off by more than 1e-6 on ${wrong}`
}
if (peer === undefined)
  console.log('QuantLib is not installed (Debian: libquantlib0-dev, g++): no comparison.')
if (peer !== undefined) rmSync(join(peer, '..'), { recursive: true })
keepResults()

/** Keeps and prints the rows. */
function keepResults(): void {
  const perSecond = (nanoseconds: number[]): Figures => ({
    unit: 'prices/s',
    rounds: nanoseconds.map((time) => 1e9 / time),
  })
  const row = (about: Pick<Row, 'id' | 'work' | 'against' | 'goal'>, mine: number[], others: number[]): Row =>
    ratioRow(about, perSecond(mine), others.length > 0 ? perSecond(others) : null)
  const blackWork = 'Black–Scholes kernel, half near the money and half 5…25 standard deviations out'
  const kept = keep('kernels', {
    rounds: ROUNDS,
    conditions: `Prices on one core. QuantLib's VarianceGammaEngine, against ours: ${verdict || 'not installed'}. Ours by case: ${spread(box.map(timeOneCase))} ns.`,
    rows: [
      row(
        {
          id: 'kernel-bs',
          work: blackWork,
          against: 'QuantLib’s blackFormula in C++, from the same inputs',
          goal: { is: 'at least', value: 1 },
        },
        black.ours,
        black.peer,
      ),
      row(
        {
          id: 'kernel-bs-ready',
          work: blackWork,
          against: 'QuantLib’s blackFormula in C++, from a precomputed forward, deviation and discount',
          goal: null,
        },
        black.ours,
        blackReady,
      ),
      row(
        {
          id: 'kernel-vg',
          work: `Variance Gamma kernel, the ${box.length} cases of the reference box`,
          against: 'QuantLib’s VarianceGammaEngine in C++',
          goal: { is: 'at least', value: 10 },
        },
        gamma.ours,
        gamma.peer,
      ),
      ...forward.map((kernel) =>
        row(
          {
            id: `kernel-forward-${kernel.what}`,
            work: `Option on a forward, ${kernel.what}, strikes within two deviations`,
            against: `QuantLib’s ${kernel.peerName} in C++`,
            goal: null,
          },
          kernel.ours,
          kernel.peer,
        ),
      ),
      row(
        {
          id: 'kernel-american',
          work: `American kernel, price and Greeks, ${AMERICANS}`,
          against: 'QuantLib’s QdFpAmericanEngine in C++ at its accurate scheme, price only',
          goal: { is: 'at least', value: 1 },
        },
        american.ours,
        american.peer,
      ),
    ],
  })
  console.log(`  ${kept.conditions}`)
  for (const one of kept.rows) console.log(printed(one))
}

/** A linear congruential generator: the same numbers every time. */
function fractions(): () => number {
  let state = 12345
  return () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

/** Spot 100, volatility 0.1…0.5, maturity 0.05…2.05. */
function blackScholesOptions(count: number): BlackScholesInput[] {
  const uniform = fractions()
  return Array.from({ length: count }, (_, n): BlackScholesInput => {
    const maturity = 0.05 + 2 * uniform()
    const volatility = 0.1 + 0.4 * uniform()
    const isCall = uniform() < 0.5
    const deviations = n % 2 === 0 ? 2 * uniform() - 1 : (isCall ? 1 : -1) * (5 + 20 * uniform())
    const strike = 100 * Math.exp(deviations * volatility * Math.sqrt(maturity))
    const [rate, dividendYield] = [0.05 * uniform(), 0.03 * uniform()]
    return { spot: 100, strike, rate, volatility, maturity, dividendYield, type: isCall ? 'call' : 'put' }
  })
}

/** Whole days, which QuantLib counts; strikes within two deviations; a quarter without dividends. */
function americanOptions(count: number): BlackScholesInput[] {
  const uniform = fractions()
  return Array.from({ length: count }, (_, n): BlackScholesInput => {
    const maturity = Math.round((0.05 + 2 * uniform()) * DAYS) / DAYS
    const volatility = 0.1 + 0.4 * uniform()
    const type = uniform() < 0.5 ? 'call' : 'put'
    const strike = 100 * Math.exp((4 * uniform() - 2) * volatility * Math.sqrt(maturity))
    const rate = 0.01 + 0.07 * uniform()
    const dividendYield = n % 4 === 0 ? 0 : 0.06 * uniform()
    return { spot: 100, strike, rate, volatility, maturity, dividendYield, type }
  })
}

function timeAmerican(repetitions: number): number {
  let sum = 0
  const start = process.hrtime.bigint()
  for (let k = 0; k < repetitions; k++) for (const option of americans) sum += americanOption(option).price
  return since(start, repetitions * americans.length, sum)
}

function timeBlackScholes(repetitions: number): number {
  let sum = 0
  const start = process.hrtime.bigint()
  for (let k = 0; k < repetitions; k++) for (const option of options) sum += blackScholesPrice(option)
  return since(start, repetitions * options.length, sum)
}

function timeVarianceGamma(repetitions: number): number {
  let sum = 0
  const start = process.hrtime.bigint()
  for (let k = 0; k < repetitions; k++) for (const option of box) sum += varianceGammaCallPrice(option)
  return since(start, repetitions * box.length, sum)
}

function timeOneCase(option: VarianceGammaInput): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    let sum = 0
    const start = process.hrtime.bigint()
    for (let k = 0; k < 50; k++) sum += varianceGammaCallPrice(option)
    best = Math.min(best, since(start, 50, sum))
  }
  return best
}

function since(start: bigint, count: number, sum: number): number {
  if (Number.isNaN(sum)) throw new Error('a price is not a number')
  return Number(process.hrtime.bigint() - start) / count
}

/** Path of the compiled peer; undefined if QuantLib or the compiler is missing. */
function compilePeer(): string | undefined {
  if (!existsSync('/usr/include/ql/quantlib.hpp')) return undefined
  const source = fileURLToPath(new URL('./peers/quantlib.cpp', import.meta.url))
  const program = join(mkdtempSync(join(tmpdir(), 'bench-')), 'quantlib')
  const { status, stderr } = spawnSync('g++', ['-O3', '-o', program, source, '-lQuantLib'], {
    encoding: 'utf8',
  })
  if (status === 0) return program
  console.log(`QuantLib is installed, but its bench does not compile: ${stderr}`)
  return undefined
}

function askPeer(program: string, what: string, repetitions: number, given?: readonly number[][]): string[] {
  const lines = given
    ? given
    : what === 'american'
      ? americans.map(americanLine)
      : what !== 'vg'
        ? options.map(optionLine)
        : box.map((option) => {
            const { spot, strike, rate, sigma, theta, nu, maturity, dividendYield } = option
            const price = varianceGammaCallPrice(option)
            return [spot, strike, rate, sigma, theta, nu, Math.round(maturity * DAYS), dividendYield, price]
          })
  const input = [`${what} ${repetitions}`, ...lines.map((line) => line.join(' '))].join('\n')
  const { stdout } = spawnSync(program, { input, encoding: 'utf8' })
  return stdout.trim().split(' ')
}

function optionLine(option: BlackScholesInput): number[] {
  const { spot, strike, rate, volatility, maturity, dividendYield, type } = option
  return [spot, strike, rate, volatility, maturity, dividendYield, type === 'call' ? 1 : 0]
}

function americanLine(option: BlackScholesInput): number[] {
  const { spot, strike, rate, volatility, maturity, dividendYield, type } = option
  const isCall = type === 'call' ? 1 : 0
  const { price } = americanOption(option)
  return [spot, strike, rate, volatility, Math.round(maturity * DAYS), dividendYield, isCall, price]
}

function spread(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(0)
  return `median ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, max ${at(1)}`
}
