/** Variance Gamma values of all strikes of one maturity, with their derivatives by the parameters, over shared gamma times. */
import { gammaDensityPeak, logDensity } from '../gamma-density.ts'
import { shapeScore } from '../gamma-shape-score.ts'
import { millsRatio, NORMAL_PEAK } from '../mills-ratio.ts'
import { trapezoidStep } from '../trapezoid-step.ts'
import { marginExcess, martingaleGap } from '../variance-gamma-put.ts'

export interface Parameters {
  readonly sigma: number
  readonly theta: number
  readonly nu: number
}

/** The options out of the money of one maturity. */
export interface Smile {
  readonly maturity: number
  /** ln(F/K) of each option, which is a call where ln(F/K) is 0 or less, else a put. */
  readonly moneyness: Float64Array
  /** Index of the result of the first option; the others follow. */
  readonly first: number
}

/** Prices and derivatives in units of the discounted strike. */
export interface SmileValues {
  readonly value: Float64Array
  readonly bySigma: Float64Array
  readonly byTheta: Float64Array
  readonly byNu: Float64Array
}

/** Only where the volatility is small relative to the drift, or the shape far below 1, would more nodes be needed. */
const MOST_NODES = 1000
/** Beyond this many standard deviations from the money the time value is below 1e-17. */
const FAR = 8.3
/** The step as a share of the step for prices alone: derivatives have larger terms. */
const FINER = 0.95
/** −ln of the density below which times are left out. */
const NEGLIGIBLE = 37
/** Below this share of the time on which payoff and density change, their exponentials of the time are straight lines. */
const STRAIGHT = 1e-10
/** ln of the time at which the time value of every option is below its rounding. */
const LEAST_TIME = -75

const [w, root, density, grown, score] = [0, 1, 2, 3, 4].map(() => new Float64Array(MOST_NODES))
// Sums over all nodes left of a node: of the density, of the density times exp(drift·w), and of both times the score.
const [sum, sumGrown, sumScore, sumScoreGrown] = [0, 1, 2, 3].map(() => new Float64Array(MOST_NODES + 1))

/**
 * Fills in the values of a smile with an error of about 1e-13 of a discounted strike, and their derivatives; false where the
 * parameters are outside the model or need too many nodes. As in `varianceGammaCall`, the mean over the gamma time (Madan, Carr
 * & Chang 1998, eq. 6) is summed by the trapezoidal rule in the time's logarithm, but at the same nodes for all strikes and to an
 * absolute error: each strike is summed only where its time value matters; elsewhere its payoff is a difference of shared sums.
 */
export function varianceGammaSmile(
  { sigma, theta, nu }: Parameters,
  smile: Smile,
  into: SmileValues,
): boolean {
  const { maturity, moneyness, first } = smile
  const gap = martingaleGap(theta, sigma, nu)
  const margin = 1 - gap.high - gap.low
  if (!(sigma > 0 && nu > 0 && margin > 1e-12 && margin < 1e12)) return false
  const shape = maturity / nu
  const drift = shape * gap.high
  const deviation = sigma * Math.sqrt(maturity)
  const shift = shape * (Math.abs(gap.high) < 0.5 ? Math.log1p(-gap.high) : Math.log(margin))
  const grid = { shape, drift, deviation, margin, shift }
  const nodes = fillNodes(grid, moneyness)
  if (nodes === 0) return false
  const excess = marginExcess(gap.high, margin)
  const last = { nodes, drift, deviation }
  for (let k = 0; k < moneyness.length; k++) {
    const isCall = moneyness[k] <= 0
    const level = moneyness[k] + shift
    addStrike(last, level, isCall)
    const tilted = 0.5 * ((drift + 0.5 * deviation * deviation) * sums[TIMED] - level * sums[CURVATURE])
    const byTheta = (nu / margin) * tilted
    into.value[first + k] = sums[VALUE]
    into.byTheta[first + k] = byTheta
    into.bySigma[first + k] = deviation * Math.sqrt(maturity) * sums[TIMED] + sigma * byTheta
    into.byNu[first + k] = (shape / nu) * ((isCall ? -1 : 1) * excess * sums[SHARE] - sums[BY_SHAPE])
    if (!Number.isFinite(into.value[first + k] + into.byNu[first + k] + into.bySigma[first + k])) return false
  }
  return true
}

interface Grid {
  readonly shape: number
  /** Given the time w, the logarithm of the forward over an option's strike is the option's level + drift·w. */
  readonly drift: number
  readonly deviation: number
  readonly margin: number
  /** An option's level less its moneyness. */
  readonly shift: number
}

/** Fills in the nodes and their sums; returns the number of nodes, or 0 where there would be too many. */
function fillNodes({ shape, drift, deviation, margin, shift }: Grid, moneyness: Float64Array): number {
  let steepness = 0
  let nearest = Infinity
  for (const x of moneyness) {
    steepness = Math.max(steepness, (-(x + shift) * drift) / (deviation * deviation))
    nearest = Math.min(nearest, Math.abs(x + shift))
  }
  const step = FINER * trapezoidStep(shape + 0.5, steepness, 0)
  const still = 2 * Math.log(nearest / (FAR * deviation))
  const straight = Math.log(STRAIGHT / (1 + shape + Math.abs(drift)))
  const start = Math.max(-NEGLIGIBLE / shape - 1, LEAST_TIME, Math.min(still, straight))
  const peak = step * gammaDensityPeak(shape)
  const constant = shapeScore(shape)
  const beyond = Math.max(0, -Math.log(margin))
  leftOf(start, { shape, step, drift }, peak, constant)
  for (let n = 0; n < MOST_NODES; n++) {
    const u = start + n * step
    const time = Math.exp(u)
    const log = logDensity(u, time)
    const one = peak * Math.exp(shape * log)
    const more = peak * Math.exp(shape * log + drift * time)
    w[n] = time
    root[n] = Math.sqrt(time)
    density[n] = one
    grown[n] = more
    score[n] = constant + log
    sum[n + 1] = sum[n] + one
    sumGrown[n + 1] = sumGrown[n] + more
    sumScore[n + 1] = sumScore[n] + score[n] * one
    sumScoreGrown[n + 1] = sumScoreGrown[n] + score[n] * more
    if (u > beyond && shape * log + Math.max(0, drift * time) < -NEGLIGIBLE) return n + 1
  }
  return 0
}

/** Fills in the sums over all nodes left of the first: geometric series, because the density is a power of the time there. */
function leftOf(
  start: number,
  { shape, step, drift }: { readonly shape: number; readonly step: number; readonly drift: number },
  peak: number,
  constant: number,
): void {
  const time = Math.exp(start)
  const size = peak * Math.exp(shape * (start + 1))
  const own = 1 / Math.expm1(shape * step)
  const next = time / Math.expm1((shape + 1) * step)
  sum[0] = size * (own - shape * next)
  sumGrown[0] = size * (own - (shape - drift) * next)
  // From node to node the score falls by one step.
  const ranks = own / -Math.expm1(-shape * step)
  sumScore[0] = size * ((constant + start + 1) * own - step * ranks)
  sumScoreGrown[0] = sumScore[0]
}

/** The means for one strike: of the value, of exp(m)Φ(∓d₁), of φ(d₂)/s, of w·φ(d₂)/s, and of the value times the score. */
const sums = new Float64Array(5)
const [VALUE, SHARE, CURVATURE, TIMED, BY_SHAPE] = [0, 1, 2, 3, 4]

function addStrike(
  { nodes, drift, deviation }: { readonly nodes: number; readonly drift: number; readonly deviation: number },
  level: number,
  isCall: boolean,
): void {
  sums.fill(0)
  const forward = Math.exp(level)
  const [from, to] = timeValueNodes(nodes, drift, deviation, level)
  // Left of these nodes the sign of the moneyness is that of the level, right of them that of the drift.
  if (isCall ? level > 0 : level < 0) addPayoff(0, from, forward, isCall, true)
  if (isCall ? drift > 0 : drift < 0) addPayoff(to, nodes, forward, isCall, false)
  let value = 0
  let share = 0
  let curvature = 0
  let timed = 0
  let byShape = 0
  for (let n = from; n < to; n++) {
    const m = level + drift * w[n]
    const s = deviation * root[n]
    const inverse = 1 / s
    const d2 = m * inverse - 0.5 * s
    const d1 = d2 + s
    const p = density[n]
    const bell = p * Math.exp(-0.5 * d2 * d2) * NORMAL_PEAK
    const strikes = bell * millsRatio(Math.abs(d2))
    const spots = bell * millsRatio(Math.abs(d1))
    const exercised = isCall === d2 < 0 ? strikes : p - strikes
    const delivered = isCall === d1 < 0 ? spots : forward * grown[n] - spots
    const one = isCall ? delivered - exercised : exercised - delivered
    const bend = bell * inverse
    value += one
    share += delivered
    curvature += bend
    timed += bend * w[n]
    byShape += score[n] * one
  }
  sums[VALUE] += value
  sums[SHARE] += share
  sums[CURVATURE] = curvature
  sums[TIMED] = timed
  sums[BY_SHAPE] += byShape
}

/** Adds the payoffs at the nodes `from` to `to` − 1, and with `isLeft` those at all times left of the first node. */
function addPayoff(from: number, to: number, forward: number, isCall: boolean, isLeft: boolean): void {
  if (to < from || (to === from && !isLeft)) return
  const sign = isCall ? 1 : -1
  const ones = sum[to] - (isLeft ? 0 : sum[from])
  const spots = forward * (sumGrown[to] - (isLeft ? 0 : sumGrown[from]))
  const scores = sumScore[to] - (isLeft ? 0 : sumScore[from])
  const spotScores = forward * (sumScoreGrown[to] - (isLeft ? 0 : sumScoreGrown[from]))
  sums[VALUE] += sign * (spots - ones)
  sums[SHARE] += spots
  sums[BY_SHAPE] += sign * (spotScores - scores)
}

/** The nodes w at which |level + drift·w| is at most FAR deviations: the first, and the one after the last. */
function timeValueNodes(nodes: number, drift: number, deviation: number, level: number): [number, number] {
  const spread = FAR * FAR * deviation * deviation
  const product = level * drift
  const discriminant = spread * (spread - 4 * product)
  if (!(discriminant > 0) || spread - 2 * product <= 0) return [nodes, nodes]
  const both = spread - 2 * product + Math.sqrt(discriminant)
  const from = indexOf((2 * level * level) / both, nodes)
  return [from, Math.max(from, indexOf(both / (2 * drift * drift), nodes))]
}

/** The index of the first node after a time. */
function indexOf(time: number, nodes: number): number {
  let [low, high] = [0, nodes]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (w[middle] > time) high = middle
    else low = middle + 1
  }
  return low
}
