/** The value of early exercise, by an integral over the times at which it happens. */
import { spend } from '../../budget.ts'
import { millsRatio, NORMAL_PEAK } from '../mills-ratio.ts'
import { isChanging, logWithChanges } from './boundary-changes.ts'
import { type Boundary, logBoundary } from './exercise-boundary.ts'
import { CHANGES, type RateSlopes, type ScaledPut, type Slopes } from './scaled-put.ts'

/** A quadrature rule: nodes in (0, 1), their distances from 1, and their weights. */
interface Rule {
  readonly shares: Float64Array
  readonly rests: Float64Array
  readonly weights: Float64Array
}

/**
 * The rule share/(1 − share) = exp(x + exp(x)). Towards 1, where the boundary behaves as a square root, it is double exponential
 * (Takahasi & Mori 1974). Towards 0 its nodes are even in the logarithm: there the integrand depends on the ratio of the share to
 * the distance of the spot from the boundary, which may be arbitrarily small.
 */
const fromNow = (step: number) => ruleOf(-26, 3.6, (x) => [x + Math.exp(x), 1 + Math.exp(x)], step)
const FROM_NOW = fromNow(1 / 7)
/** For boundaries that change on a short scale at 1, and where drift makes the time of exercise nearly certain. */
const FINE = fromNow(1 / 16)
const FINEST = fromNow(1 / 64)
/** The double exponential rule of Takahasi and Mori, for exercise that ends before maturity. */
const FROM_LATER = ruleOf(-3.2, 3.2, (x) => [Math.PI * Math.sinh(x), Math.PI * Math.cosh(x)], 1 / 24)

/** Makes a rule. @param mapped the logarithm of share/(1 − share) at x, and its derivative */
function ruleOf(from: number, to: number, mapped: (x: number) => [number, number], step: number): Rule {
  const first = Math.round(from / step)
  const places = Float64Array.from(
    { length: Math.round(to / step) - first + 1 },
    (_, k) => (first + k) * step,
  )
  const logistic = (y: number) => 1 / (1 + Math.exp(-y))
  return {
    shares: places.map((x) => logistic(mapped(x)[0])),
    rests: places.map((x) => logistic(-mapped(x)[0])),
    weights: places.map((x) => step * mapped(x)[1] * logistic(mapped(x)[0]) * logistic(-mapped(x)[0])),
  }
}

/** Where the exponent is below the largest one by more than this, the rest of the integral does not change the sum. */
const NEGLIGIBLE = 46

/**
 * The value of the income from exercise below the boundary: ∫[r·exp(−r(τ−u))·Φ(−d₂) − q·S·exp(−q(τ−u))·Φ(−d₁)]du over the times to
 * maturity u, where d₁ and d₂ have the boundary b(u) in place of the strike (Kim 1990, eq. 10).
 */
export function earnedBelow(boundary: Boundary, logSpot: number, maturity: number): Slopes {
  const { rate, dividendYield } = boundary
  const { shares, rests, weights } = ruleFor(boundary, logSpot)
  const spot = Math.exp(logSpot)
  const drift = rate - dividendYield + 0.5
  const longest = Math.sqrt(maturity)
  let value = 0
  let delta = 0
  let gamma = 0
  let largest = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  const micros = nodeMicros(boundary)
  const sums = new Float64Array(CHANGES)
  const moves = new Float64Array(CHANGES)
  for (let k = shares.length - 1; k >= 0; k--) {
    spend(micros)
    const span = longest * shares[k]
    const there = placeAt(boundary, longest * rests[k] * (longest + span), moves)
    const square = span * span
    const d1 = (logSpot - there) / span + drift * span
    const exponent = -dividendYield * square - 0.5 * d1 * d1
    if (exponent < largest - NEGLIGIBLE && exponent < last && d1 > 0) break
    largest = Math.max(largest, exponent)
    last = exponent
    const density = NORMAL_PEAK * Math.exp(exponent)
    const inverse = Math.exp(-there)
    const spotTail = tailOf(d1, density, -dividendYield * square)
    const strikeTail = tailOf(d1 - span, density * spot * inverse, -rate * square)
    const part = 2 * span * longest * weights[k]
    value += part * (rate * strikeTail - dividendYield * spot * spotTail)
    const earned = rate * inverse - dividendYield
    const flow = (part * density) / span
    delta -= flow * earned + part * dividendYield * spotTail
    gamma += flow * ((earned * d1) / span + dividendYield)
    sums[0] += part * (1 - rate * square) * strikeTail
    sums[1] -= part * (1 - dividendYield * square) * spot * spotTail
    addFlow(sums, moves, spot * flow, { d1, earned, span, dividendYield })
  }
  return { value, delta, gamma: gamma / spot, ...ratesOf(boundary, sums) }
}

/** The same for exercise between two boundaries, at times to maturity up to `until`. */
export function earnedBetween(
  upper: Boundary,
  lower: Boundary,
  logSpot: number,
  maturity: number,
  until: number,
): Slopes {
  const { rate, dividendYield } = upper
  const { shares, rests, weights } = until < maturity ? FROM_LATER : ruleFor(upper, logSpot)
  spend(2 * shares.length * nodeMicros(upper))
  const spot = Math.exp(logSpot)
  const drift = rate - dividendYield + 0.5
  const shortest = Math.sqrt(maturity - until)
  const longest = Math.sqrt(maturity)
  const width = until / (shortest + longest)
  let value = 0
  let delta = 0
  let gamma = 0
  const sums = new Float64Array(CHANGES)
  for (let k = 0; k < shares.length; k++) {
    const span = shortest + width * shares[k]
    const [spotDecay, strikeDecay] = [-dividendYield * span * span, -rate * span * span]
    const at = (boundary: Boundary) => {
      const moves = new Float64Array(CHANGES)
      const there = placeAt(boundary, width * rests[k] * (longest + span), moves)
      const d1 = (logSpot - there) / span + drift * span
      const density = NORMAL_PEAK * Math.exp(spotDecay - 0.5 * d1 * d1)
      const inverse = Math.exp(-there)
      const earned = rate * inverse - dividendYield
      const strikeDensity = density * spot * inverse
      return { d1, density, earned, d2: d1 - span, strikeDensity, span, dividendYield, moves }
    }
    const [one, other] = [at(upper), at(lower)]
    const spotShare = shareBetween(one.d1, one.density, other.d1, other.density, spotDecay)
    const strikeShare = shareBetween(one.d2, one.strikeDensity, other.d2, other.strikeDensity, strikeDecay)
    const part = 2 * span * width * weights[k]
    value += part * (rate * strikeShare - dividendYield * spot * spotShare)
    const flow = one.density * one.earned - other.density * other.earned
    const turn = one.density * one.earned * one.d1 - other.density * other.earned * other.d1
    delta -= part * (flow / span + dividendYield * spotShare)
    gamma += (part / span) * (turn / span + dividendYield * (one.density - other.density))
    sums[0] += part * (1 + strikeDecay) * strikeShare
    sums[1] -= part * (1 + spotDecay) * spot * spotShare
    addFlow(sums, one.moves, (spot * part * one.density) / span, one)
    addFlow(sums, other.moves, (-spot * part * other.density) / span, other)
  }
  return { value, delta, gamma: gamma / spot, ...ratesOf(upper, sums) }
}

/** ln of the boundary at a time; writes its changes if they are known. */
const placeAt = (boundary: Boundary, time: number, moves: Float64Array): number =>
  isChanging(boundary) ? logWithChanges(boundary, time, moves) : logBoundary(boundary, time)

interface Node {
  readonly d1: number
  readonly earned: number
  readonly span: number
  readonly dividendYield: number
}

/**
 * Adds the changes of the income through d₁ and d₂, by the rate, the yield and ln σ: d₁ changes by the span, −span and −d₂, less
 * the change of ln b over the span.
 */
function addFlow(
  sums: Float64Array,
  moves: Float64Array,
  flow: number,
  { d1, earned, span, dividendYield }: Node,
): void {
  const square = span * span
  sums[0] += flow * earned * (moves[0] - square)
  sums[1] += flow * earned * (moves[1] + square)
  sums[2] += flow * (earned * (moves[2] + d1 * span) + dividendYield * square)
}

const ratesOf = (
  boundary: Boundary,
  [rate, dividendYield, volatility]: Float64Array,
): { rates?: RateSlopes } => (isChanging(boundary) ? { rates: { rate, dividendYield, volatility } } : {})

/** The time of a node, in microseconds: the interpolation of the boundary and two tails. */
const nodeMicros = ({ scheme, changes }: Boundary) =>
  changes === undefined ? 0.15 + 0.008 * scheme.size : 0.25 + 0.014 * scheme.size

function ruleFor(boundary: Boundary, logSpot: number): Rule {
  const sharp = sharpness(boundary, logSpot - logBoundary(boundary, boundary.horizon))
  if (sharp > 40) return FINEST
  return sharp > 8 || (boundary.scheme.stretch ?? 0) >= 2 ? FINE : FROM_NOW
}

/** The squared number of standard deviations of drift and discount until the log price reaches the boundary at this distance. */
function sharpness({ rate, dividendYield }: ScaledPut, distance: number): number {
  const carry = rate - dividendYield - 0.5
  return Math.sqrt(carry * carry + 2 * Math.abs(rate)) * Math.abs(distance)
}

/** exp(decay)·Φ(−d) from exp(decay)·φ(d). */
function tailOf(d: number, density: number, decay: number): number {
  return d > 0 ? density * millsRatio(d) : Math.exp(decay) - density * millsRatio(-d)
}

/** exp(decay)·(Φ(−d) − Φ(−e)) for d ≤ e, from the tails on the side on which they are small. */
function shareBetween(d: number, density: number, e: number, otherDensity: number, decay: number): number {
  return d + e > 0
    ? tailOf(d, density, decay) - tailOf(e, otherDensity, decay)
    : tailOf(-e, otherDensity, decay) - tailOf(-d, density, decay)
}
