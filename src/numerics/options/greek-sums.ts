/** Sums over a gamma time of what the Greeks of a put need at each time. */
import { type ConditionalPut, logSize } from './conditional-put.ts'
import { gammaDensityPeak, logDensity } from './gamma-density.ts'
import { peakOf } from './gamma-mixture.ts'
import { shapeKernel, shapeScore } from './gamma-shape-score.ts'
import { FIRST, kinkedGrid, kinkedNode, LEFT, RIGHT } from './kinked-mixture.ts'
import { millsDifference, millsRatio, NORMAL_PEAK } from './mills-ratio.ts'
import { trapezoidStep } from './trapezoid-step.ts'
import { VANISHING } from './variance-gamma.ts'

/** With m and s² the log moneyness and its variance given the time w, d₁ and d₂ = m/s ± s/2, in units of exp(−lift). */
export interface GreekMeans {
  /** Φ(−d₂) − exp(m)Φ(−d₁). */
  readonly value: number
  /** exp(m)Φ(−d₁). */
  readonly share: number
  /** φ(d₂)/s. */
  readonly curvature: number
  /** w·φ(d₂)/s. */
  readonly timedCurvature: number
  /** The derivative of the mean value by the shape, less tilt·E[(w − 1)·value]. */
  readonly byShape: number
  readonly lift: number
}

const NEGLIGIBLE = 1e-15
/** Of the price's step: its 3e-14 become 3e-16, because the terms of the derivative by the shape have both signs. */
const FINER = 0.86
/** The sums are five times as long as the price's, where small times matter for the curvature. */
const MOST_NODES = 4000
export const [VALUE, SHARE, CURVATURE, TIMED, BY_SHAPE] = [0, 1, 2, 3, 4]
const SUMS = 5
const ALL = [VALUE, SHARE, CURVATURE, TIMED, BY_SHAPE]

export class GreekSums {
  #sum = new Float64Array(SUMS)
  /** Of the terms of the derivative by the shape. */
  #size = 0
  #last = new Float64Array(SUMS)
  #term = new Float64Array(SUMS)
  #put: ConditionalPut
  #tilt: number
  #score: number
  /** Whether the derivative by the shape is a mean of second derivatives. */
  #isLarge: boolean
  /** The sums that are wanted, which determine the nodes. */
  #wanted: readonly number[]

  constructor(put: ConditionalPut, tilt: number, isLarge: boolean, wanted: readonly number[] = ALL) {
    this.#wanted = wanted
    this.#isLarge = isLarge
    this.#put = put
    this.#tilt = tilt
    this.#score = shapeScore(put.shape)
  }

  means(): GreekMeans {
    const peak = gammaDensityPeak(this.#put.shape)
    const [value, share, curvature, timedCurvature, byShape] = this.#sum.map((sum) => sum * peak)
    return { value, share, curvature, timedCurvature, byShape, lift: this.#put.lift }
  }

  /** The trapezoidal sum in u from a term on in both directions, beyond every place where a term may peak. */
  smooth(start: number): boolean {
    const { shape, level, kink, central } = this.#put
    const isBulk = !this.#wanted.includes(CURVATURE)
    const step = FINER * (isBulk ? trapezoidStep(shape, 0, 0) : this.#stepOfAll())
    if (!(step > 0)) return false
    const ratio = Math.exp(step)
    const marks = isBulk ? [start] : [start, peakOf(this.#put)]
    if (central < 0) marks.push(0)
    if (!isBulk && !Number.isNaN(kink) && logSize(this.#put, kink) > VANISHING) marks.push(kink)
    const [lowest, highest] = [Math.min(...marks), Math.max(...marks)]
    let w = Math.exp(start)
    for (let n = 0; ; n++, w *= ratio) {
      if (n > MOST_NODES) return false
      const u = start + n * step
      this.#addAt(u, w, step)
      if (u > highest && this.#isNegligible(1)) break
    }
    // At small times the density of u falls only as exp(shape·u), of the curvature at level 0 as exp((shape − ½)u).
    const power = level === 0 ? shape - 0.5 : shape
    const decay = level > 0 ? 0.1 : Math.min(1, -Math.expm1(-power * step))
    this.#last.fill(Infinity)
    w = Math.exp(start)
    for (let n = 1; n < MOST_NODES; n++) {
      w /= ratio
      const u = start - n * step
      this.#addAt(u, w, step)
      if (u < lowest && this.#isNegligible(decay)) return true
      if (u < lowest && this.#closes(u, step)) return true
    }
    return false
  }

  /** 0 where it cannot be computed. */
  #stepOfAll(): number {
    const { shape, deviation, drift, level } = this.#put
    const tilt = drift / deviation - 0.5 * deviation
    const q = Math.sqrt(2 * shape + tilt * tilt) * Math.abs(level / deviation)
    return q < 1e300 ? trapezoidStep(shape + 0.5, q, 0) : 0
  }

  /** Both sides of the kink, with nodes that crowd towards it. */
  kinked(): boolean {
    const hasBulk = this.#wanted.includes(VALUE)
    const { isCertain, scale, step } = kinkedGrid(this.#put, hasBulk)
    if (isCertain) {
      const { kink, level } = this.#put
      this.#put = { ...this.#put, deviation: 0 }
      this.#addSpike(kink, Math.abs(level))
      if (!hasBulk) return true
    }
    for (const side of isCertain ? [this.#put.level > 0 ? RIGHT : LEFT] : [RIGHT, LEFT]) {
      this.#last.fill(Infinity)
      for (let n = 0; ; n++) {
        if (n > MOST_NODES) return false
        const p = FIRST + n * step
        const { u, w, m, jacobian } = kinkedNode(this.#put, side, scale, p)
        this.#add(u, w, logDensity(u, w), m, step * jacobian)
        if (p > 0 && this.#isNegligible(1)) break
      }
    }
    return true
  }

  #addAt(u: number, w: number, factor: number): void {
    const { level, drift, central } = this.#put
    const log = logDensity(u, w)
    this.#add(u, w, log, u < -0.7 ? level + drift * w : central + drift * (u - log), factor)
  }

  /** As `weightedValue`, with the share and the curvature from the same exponentials. */
  #add(u: number, w: number, log: number, m: number, factor: number): void {
    const put = this.#put
    const logWeight = put.shape * log + put.lift
    const s = put.deviation * Math.sqrt(w)
    const t = 0.5 * s
    const distance = m / s
    const d2 = distance - t
    const d1 = distance + t
    const isNear = s > 0 && Math.abs(d2) < 120
    let value = 0
    let share = 0
    let density = 0
    if (m < 0) {
      const less = Math.expm1(m)
      const weight = Math.exp(logWeight)
      value = -weight * less
      if (!isNear || d1 < 0) share = less > -0.5 ? weight * (1 + less) : Math.exp(logWeight + m)
    }
    if (isNear) {
      density = Math.exp(logWeight - 0.5 * d2 * d2) * NORMAL_PEAK
      const y = Math.abs(distance)
      if (t <= y + 3) value += density * millsDifference(y, t)
      else value += Math.exp(logWeight + Math.min(m, 0)) - density * (millsRatio(t - y) + millsRatio(t + y))
      share = d1 >= 0 ? density * millsRatio(d1) : share - density * millsRatio(-d1)
    }
    const curvature = s > 0 ? density / s : 0
    const term = this.#term
    term[VALUE] = factor * value
    term[SHARE] = factor * share
    term[CURVATURE] = factor * curvature
    term[TIMED] = factor * curvature * w
    term[BY_SHAPE] =
      factor *
      (!this.#isLarge
        ? (this.#score + log - this.#tilt * (w - 1)) * value
        : this.#secondOrder(u, w, share, curvature, s === 0 ? 0 : d2 / s, s))
    const sum = this.#sum
    sum[VALUE] += term[VALUE]
    sum[SHARE] += term[SHARE]
    sum[CURVATURE] += term[CURVATURE]
    sum[TIMED] += term[TIMED]
    sum[BY_SHAPE] += term[BY_SHAPE]
    this.#size += Math.abs(term[BY_SHAPE])
  }

  /** −(w²·B·h″/shape + tilt·w·h′)/shape, where ∂h/∂w = A·∂h/∂m + β·∂²h/∂m² with A = drift − β and β = deviation²/2. */
  #secondOrder(u: number, w: number, share: number, curvature: number, d2s: number, s: number): number {
    const { drift, deviation, shape } = this.#put
    const beta = 0.5 * deviation * deviation
    const first = -drift * share + beta * curvature
    const quartic = s === 0 ? 0 : (beta * beta * (d2s * d2s * s * s - 1)) / (s * s)
    const second =
      drift * drift * (curvature - share) + curvature * (quartic - beta * (2 * drift - beta) * d2s)
    return -((w * w * shapeKernel(shape, u, w) * second) / shape + this.#tilt * w * first) / shape
  }

  /** The curvature without a deviation: the density where the forward passes the strike, |dm/du| = slope. */
  #addSpike(u: number, slope: number): void {
    const { shape, lift, drift } = this.#put
    const w = Math.exp(u)
    const spike = Math.exp(shape * logDensity(u, w) + lift) / slope
    this.#sum[CURVATURE] = spike
    this.#sum[TIMED] = spike * w
    if (this.#isLarge) {
      const kernel = shapeKernel(shape, u, w)
      this.#sum[BY_SHAPE] = (-(w * w) * kernel * drift * drift * spike) / (shape * shape)
    }
    this.#size = Math.abs(this.#sum[BY_SHAPE])
  }

  #isNegligible(decay: number): boolean {
    const [term, last, sum] = [this.#term, this.#last, this.#sum]
    const share = NEGLIGIBLE * decay
    let is = true
    for (const i of this.#wanted) {
      const one = Math.abs(term[i])
      // Only the terms of the derivative by the shape have both signs.
      if (!(one <= share * (i === BY_SHAPE ? this.#size : sum[i]) && one <= last[i])) is = false
      last[i] = one
    }
    return is
  }

  /** Adds the rest where the conditional values no longer change, a geometric series, and says whether it did. */
  #closes(u: number, step: number): boolean {
    const { level, drift, deviation, shape } = this.#put
    const w = Math.exp(u)
    const s = deviation * Math.sqrt(w)
    const still = NEGLIGIBLE * Math.min(1, 1 / shape)
    if (this.#isLarge) return false
    const isConstant =
      level < 0 && w * (Math.abs(drift) - level * shape) < -NEGLIGIBLE * level && -level > 40 * s
    const isRoot = level === 0 && s < still && Math.abs(drift) * w < still * s
    if (!isConstant && !isRoot) return false
    const root = isRoot ? 0.5 : 0
    for (const [i, power] of [shape + root, shape, shape - root, shape + root].entries())
      this.#sum[i] += this.#term[i] / Math.expm1(power * step)
    // The score falls by a step at each term.
    const power = shape + root
    this.#sum[BY_SHAPE] +=
      this.#term[BY_SHAPE] / Math.expm1(power * step) +
      (this.#term[VALUE] * step) / (Math.expm1(power * step) * Math.expm1(-power * step))
    return true
  }
}
