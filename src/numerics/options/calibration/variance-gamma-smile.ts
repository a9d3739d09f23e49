/** Variance Gamma values of all strikes of one maturity, with their derivatives by the parameters, over shared gamma times. */
import { spend } from '../../budget.ts'
import { gammaDensityPeak, logDensity } from '../gamma-density.ts'
import { shapeScore } from '../gamma-shape-score.ts'
import { millsRatio, NORMAL_PEAK } from '../mills-ratio.ts'
import { steepestAt, trapezoidStep } from '../trapezoid-step.ts'
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

/** The error of a value, in units of the discounted strike. */
export const PRICE_ERROR = 1e-13

export interface Precision {
  /** −ln of the error that the step of the sum may cause. */
  readonly digits: number
  /** Beyond this many standard deviations from the money the time value counts as 0. */
  readonly far: number
  /** −ln of the density below which times are left out. */
  readonly negligible: number
  /** Where more nodes would be needed, because the volatility is small relative to the drift, payoffs are smoothed. */
  readonly mostNodes: number
}

/** An error of about 1e-13 of a discounted strike. Derivatives have larger terms than prices, hence the further digits. */
export const FINE: Precision = { digits: 34, far: 8.3, negligible: 37, mostNodes: 1_000 }
/** With an error of 1e-10 instead of 1e-7 where σ is near 0. */
export const FINEST: Precision = { ...FINE, mostNodes: 2_000 }
/** An error of about 1e-6 of a discounted strike. */
export const COARSE: Precision = { digits: 13, far: 4.7, negligible: 15, mostNodes: 500 }
/** The time of a node of the shared sums, and of a strike for each deviation that is summed. */
const [NODE_MICROS, STRIKE_MICROS] = [0.08, 0.25]
/** Below this share of the time on which payoff and density change, their exponentials of the time are straight lines. */
const STRAIGHT = 1e-10
/** No fewer nodes are used than such a steepness needs. */
const LEAST_STEEPEST = 1_000
/** ln of the time at which the time value of every option is below its rounding. */
const LEAST_TIME = -75

const [w, root, density, grown, score] = [0, 1, 2, 3, 4].map(() => new Float64Array(FINEST.mostNodes))
// Sums over all nodes left of a node: of the density, of the density times exp(drift·w), and of both times the score.
const [sum, sumGrown, sumScore, sumScoreGrown] = [0, 1, 2, 3].map(
  () => new Float64Array(FINEST.mostNodes + 1),
)

/**
 * Fills in the values of a smile with an error of about 1e-13 of a discounted strike, and their derivatives; false where the
 * parameters are outside the model. As in `varianceGammaCall`, the mean over the gamma time (Madan, Carr & Chang 1998, eq. 6) is
 * summed by the trapezoidal rule in the time's logarithm, but at the same nodes for all strikes and to an absolute error: each
 * strike is summed only where its time value matters; elsewhere its payoff is a difference of shared sums. As σ tends to 0, the
 * value given the time has a kink, and needs ever more nodes; from the most nodes on, it is smoothed by a larger deviation, whose
 * effect is subtracted.
 */
export function varianceGammaSmile(
  { sigma, theta, nu }: Parameters,
  smile: Smile,
  into: SmileValues,
  precision = FINEST,
): boolean {
  const { maturity, moneyness, first } = smile
  const gap = martingaleGap(theta, sigma, nu)
  const margin = 1 - gap.high - gap.low
  if (!(sigma > 0 && nu > 0 && margin > 1e-12 && margin < 1e12)) return false
  const shape = maturity / nu
  const drift = shape * gap.high
  const deviation = sigma * Math.sqrt(maturity)
  const shift = shape * (Math.abs(gap.high) < 0.5 ? Math.log1p(-gap.high) : Math.log(margin))
  const { nodes, steepest } = fillNodes({ shape, drift, deviation, margin, shift }, moneyness, precision)
  spend(NODE_MICROS * nodes + STRIKE_MICROS * precision.far * moneyness.length)
  if (nodes === 0) return false
  const excess = marginExcess(gap.high, margin)
  for (let k = 0; k < moneyness.length; k++) {
    const isCall = moneyness[k] <= 0
    const level = moneyness[k] + shift
    const variance = Math.max(deviation * deviation, (-level * drift) / steepest)
    addStrike({ nodes, drift, deviation: Math.sqrt(variance), far: precision.far }, level, isCall)
    const tilted = 0.5 * ((drift + 0.5 * variance) * sums[TIMED] - level * sums[CURVATURE])
    const byTheta = (nu / margin) * tilted
    // The value is linear in the variance, up to a term of about 1e-11.
    into.value[first + k] = sums[VALUE] - 0.5 * (variance - deviation * deviation) * sums[TIMED]
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

interface Nodes {
  /** Their number; 0 where the parameters are too extreme. */
  readonly nodes: number
  /** Up to this −level·drift/deviation² the nodes are close enough. */
  readonly steepest: number
}

/** Fills in the nodes and their sums. */
function fillNodes(
  grid: Grid,
  moneyness: Float64Array,
  { digits, far, negligible, mostNodes }: Precision,
): Nodes {
  const { shape, drift, deviation, margin, shift } = grid
  let steepness = 0
  let still = Infinity
  for (const x of moneyness) {
    const level = x + shift
    const product = -level * drift
    steepness = Math.max(steepness, product / (deviation * deviation))
    // Where the payoff is smoothed, it moves away from its limit earlier.
    const variance = Math.max(deviation * deviation, product / LEAST_STEEPEST)
    still = Math.min(still, Math.log((level * level) / (far * far * variance)))
  }
  const straight = Math.log(STRAIGHT / (1 + shape + Math.abs(drift)))
  // w − 1 − ln w is above `rest` beyond these bounds.
  const rest = negligible / shape
  const isNarrow = rest < 1 / 3
  const earliest = isNarrow ? -Math.sqrt(3 * rest) : -rest - 1
  const start = Math.max(earliest, LEAST_TIME, Math.min(still, straight))
  const beyond = Math.max(0, -Math.log(margin))
  const end = beyond + Math.log(1 + rest + Math.sqrt(2 * rest))
  const least = (end - start) / (mostNodes - 2)
  const exact = trapezoidStep(shape + 0.5, steepness, 0, digits)
  const step = Math.max(exact, least)
  const steepest = exact < least ? Math.max(LEAST_STEEPEST, steepestAt(step, digits)) : Infinity
  const peak = step * gammaDensityPeak(shape)
  const constant = shapeScore(shape)
  if (isNarrow) for (const sums of [sum, sumGrown, sumScore, sumScoreGrown]) sums[0] = 0
  else leftOf(start, { shape, step, drift }, peak, constant)
  for (let n = 0; n < mostNodes; n++) {
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
    if (u > beyond && shape * log + Math.max(0, drift * time) < -negligible) return { nodes: n + 1, steepest }
  }
  return { nodes: 0, steepest }
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

interface Strikes extends Pick<Grid, 'drift' | 'deviation'>, Pick<Precision, 'far'> {
  readonly nodes: number
}

function addStrike({ nodes, drift, deviation, far }: Strikes, level: number, isCall: boolean): void {
  sums.fill(0)
  const forward = Math.exp(level)
  const [from, to] = timeValueNodes({ nodes, drift, deviation, far }, level)
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

/** The nodes w at which |level + drift·w| is at most `far` deviations: the first, and the one after the last. */
function timeValueNodes({ nodes, drift, deviation, far }: Strikes, level: number): [number, number] {
  const spread = far * far * deviation * deviation
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
