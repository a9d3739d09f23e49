/**
 * Fits Variance Gamma to surfaces of 75 quotes whose parameters are known, with and without noise, and compares noisy fits with
 * the best of 20 by scipy's least_squares; then fits noisy, rounded, sparse, ill-fitting and arbitrage-violating surfaces, and
 * compares them with scipy's best of 30 random starts: `npm run sweep:calibration -- [SURFACES] [SEED] [--peer COUNT] [--rough COUNT]`.
 * The peers take some seconds and half a second a surface and need Debian's python3-scipy; a count of 0 leaves one out.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { wholeNumber } from '../../src/base/text.ts'
import { withinBudget } from '../../src/numerics/budget.ts'
import type { Quote } from '../../src/numerics/options/calibration/calibration-quotes.ts'
import { varianceGammaCalibration } from '../../src/numerics/options/calibration/variance-gamma-calibration.ts'
import { calibrationMicros } from '../../src/numerics/options/calibration/variance-gamma-search.ts'
import type { Parameters } from '../../src/numerics/options/calibration/variance-gamma-smile.ts'
import { varianceGammaGreeks } from '../../src/numerics/options/variance-gamma-greeks.ts'
import { table } from '../support/command-line.ts'
import { PYTHON } from '../support/exact-python.ts'
import { ROUGH_KINDS, roughMarket, roughSurfaces } from './options/rough-surfaces.ts'
import { market, surfaces } from './options/variance-gamma-surfaces.ts'
import { calibrationObjective, rmseOf, scipyMinima } from './scipy-minima.ts'

const TICK = 0.01
const NAMES = ['sigma', 'theta', 'nu'] as const
/** The error of a parameter that is nearly 0 counts as a share of this. */
const LEAST = 0.01
const MOST_ERROR = 1e-6
const LEAST_INSIDE = 0.99
const MOST_MILLIS = 30
/** Of the rough surfaces: above this share of scipy's rmse, and by more than this share of the spot, a fit is worse. */
const ROUGH_WORSE = [1e-6, 1e-11] as const
/** The peer's model is right to 1e-8 of the spot, so its minimum is not exactly ours. */
const WORSE = 1 + 1e-6

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { peer: { type: 'string', default: '100' }, rough: { type: 'string', default: '2000' } },
})
const count = wholeNumber(positionals[0] ?? '1000', 1, 100_000) ?? usage()
const seed = wholeNumber(positionals[1] ?? '1', 0, 2 ** 31 - 1) ?? usage()
const roughCount = wholeNumber(values.rough, 0, 100_000) ?? usage()
const compared = Math.min(count, wholeNumber(values.peer, 0, 100_000) ?? usage())

function usage(): never {
  console.error(
    'Usage: npm run sweep:calibration -- [SURFACES] [SEED] [--peer COUNT] [--rough COUNT]; all are whole numbers.',
  )
  process.exit(2)
}

const { drawn, surface } = surfaces(seed)
const models = Array.from({ length: count }, drawn)
const millis: number[] = []
const exact = { back: 0, told: 0, wrong: 0, worst: 0 }
const noisy = { inside: 0, parameters: 0, told: 0 }
const noisySurfaces: Quote[][] = []
const fits: Parameters[] = []
for (const model of models) {
  judgeExact(model, timed(surface(model)))
  const quotes = surface(model, TICK)
  const fit = timed(quotes)
  judgeNoisy(model, fit)
  noisySurfaces.push(quotes)
  fits.push(fit)
}
const { worse, better, worstRatio } = await peerOf(compared)
report()
await judgeRough()

function timed(quotes: readonly Quote[]) {
  const before = process.threadCpuUsage()
  const fit = varianceGammaCalibration(market, quotes)
  const { system, user } = process.threadCpuUsage(before)
  millis.push((system + user) / 1000)
  return fit
}

function judgeExact(model: Parameters, fit: ReturnType<typeof varianceGammaCalibration>): void {
  if (!fit.isIdentifiable) {
    exact.told += 1
    return
  }
  const errors = NAMES.map(
    (name) => Math.abs(fit[name] - model[name]) / Math.max(Math.abs(model[name]), LEAST),
  )
  const error = Math.max(...errors)
  exact.worst = Math.max(exact.worst, error)
  if (error <= MOST_ERROR) exact.back += 1
  else {
    exact.wrong += 1
    console.log(JSON.stringify({ model, error, conditionNumber: fit.conditionNumber, rmse: fit.rmse }))
  }
}

function judgeNoisy(model: Parameters, fit: ReturnType<typeof varianceGammaCalibration>): void {
  if (fit.standardErrors === undefined) {
    noisy.told += 1
    return
  }
  for (const name of NAMES) {
    noisy.parameters += 1
    if (Math.abs(fit[name] - model[name]) <= 3 * fit.standardErrors[name]) noisy.inside += 1
  }
}

function squaresOf(fit: Parameters, quotes: readonly Quote[]): number {
  let squares = 0
  for (const { strike, maturity, type, price } of quotes) {
    const model = { sigma: fit.sigma, theta: fit.theta, nu: fit.nu }
    squares += (varianceGammaGreeks({ ...market, ...model, strike, maturity, type }).price - price!) ** 2
  }
  return squares
}

/** Fits of the first noisy surfaces by scipy, judged by the same prices as ours. */
async function peerOf(surfaceCount: number) {
  const found = { worse: 0, better: 0, worstRatio: 0 }
  if (surfaceCount === 0) return found
  const peer = spawn(PYTHON, [join(import.meta.dirname, 'vectors/variance_gamma_fits.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  for (const quotes of noisySurfaces.slice(0, surfaceCount))
    peer.stdin.write(`${JSON.stringify({ market, quotes })}\n`)
  peer.stdin.end()
  let place = 0
  for await (const line of createInterface({ input: peer.stdout })) {
    const [own, other] = [fits[place], JSON.parse(line)].map((fit) => squaresOf(fit, noisySurfaces[place]))
    found.worstRatio = Math.max(found.worstRatio, own / other)
    if (own > other * WORSE) {
      found.worse += 1
      console.log(
        JSON.stringify({
          model: models[place],
          own: fits[place],
          squares: own,
          other: JSON.parse(line),
          otherSquares: other,
        }),
      )
    }
    if (other > own * WORSE) found.better += 1
    place += 1
  }
  if (place < surfaceCount) throw new Error(`scipy fitted ${place} of ${surfaceCount} surfaces`)
  return found
}

function report(): void {
  const sorted = millis.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1)
  const share = noisy.inside / noisy.parameters
  console.log(
    table([
      ['surfaces of 5 maturities and 15 strikes, seed', `${count}, ${seed}`],
      ['exact prices: parameters back to 1e-6', exact.back],
      ['  worst error', exact.worst.toExponential(1)],
      ['  reported as not identifiable', exact.told],
      ['  neither', exact.wrong],
      [
        `noise of up to half a tick of ${TICK}: parameters within 3 standard errors`,
        `${(100 * share).toFixed(2)} % of ${noisy.parameters}`,
      ],
      ['  reported as not identifiable', noisy.told],
      ['processor time of a fit: median, 99 %, longest', `${at(0.5)}, ${at(0.99)}, ${at(1)} ms`],
      ['noisy fits against the best of 20 by scipy', compared],
      ['  worse, equal, better', `${worse}, ${compared - worse - better}, ${better}`],
      ['  largest ratio of the sums of squares', worstRatio.toFixed(9)],
    ]),
  )
  if (exact.wrong > 0 || share < LEAST_INSIDE || worse > 0 || Number(at(0.5)) > MOST_MILLIS)
    process.exitCode = 1
}

/**
 * Fits within the budget of the service. A fit that is called not identifiable counts as wrongly so where the condition number is below
 * 1e6: it is far above where sigma or nu tends to 0.
 */
async function judgeRough(): Promise<void> {
  const next = roughSurfaces(seed)
  const rough = Array.from({ length: roughCount }, (_, i) => next(ROUGH_KINDS[i % ROUGH_KINDS.length]))
  const tallies = ROUGH_KINDS.map((kind) => ({ kind, worse: 0, better: 0, told: 0, wronglyTold: 0 }))
  const took: number[] = []
  let place = 0
  for await (const other of scipyMinima(roughMarket, rough)) {
    const quotes = rough[place]
    const tally = tallies[place % ROUGH_KINDS.length]
    const estimate = calibrationMicros(quotes.length, new Set(quotes.map(({ maturity }) => maturity)).size)
    const before = process.threadCpuUsage()
    const fit = withinBudget(estimate, () => varianceGammaCalibration(roughMarket, quotes))
    const { system, user } = process.threadCpuUsage(before)
    took.push((system + user) / 1000)
    const otherRmse = rmseOf(calibrationObjective(roughMarket, quotes)(other)!)
    const margin = ROUGH_WORSE[1] * roughMarket.spot
    if (fit.rmse > otherRmse * (1 + ROUGH_WORSE[0]) + margin) {
      tally.worse += 1
      console.log(JSON.stringify({ place, kind: tally.kind, fit, other, otherRmse }))
    }
    if (otherRmse > fit.rmse * (1 + ROUGH_WORSE[0]) + margin) tally.better += 1
    if (!fit.isIdentifiable) {
      tally.told += 1
      if (fit.conditionNumber < 1e6) tally.wronglyTold += 1
    }
    place += 1
  }
  if (place === 0) return
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(place - 1, Math.floor(share * place))].toFixed(1)
  console.log(
    table([
      [`rough surfaces, seed ${seed}, against the best of 30 by scipy`, `${place}`],
      ...tallies.map(({ kind, worse, better, told, wronglyTold }): [string, string] => [
        `  ${kind}: worse, better; not identifiable, of them with a condition number below 1e6`,
        `${worse}, ${better}; ${told}, ${wronglyTold}`,
      ]),
      ['processor time of a fit: median, 90 %, longest', `${at(0.5)}, ${at(0.9)}, ${at(1)} ms`],
    ]),
  )
  if (tallies.some(({ worse, wronglyTold }) => worse + wronglyTold > 0)) process.exitCode = 1
}
