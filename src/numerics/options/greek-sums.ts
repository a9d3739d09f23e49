/** Sums over a gamma time of the quantities from which the Greeks of a put follow. */
import type { ConditionalPut } from './conditional-put.ts'
import { type CurvatureMeans, CurvatureSums } from './curvature-sums.ts'
import { gammaDensityPeak, logDensity } from './gamma-density.ts'
import { byLargeShape, shapeScore } from './gamma-shape-score.ts'
import { NEGLIGIBLE, node } from './gamma-sums.ts'
import { millsPair, millsRatio } from './mills-ratio.ts'

export interface GreekMeans extends CurvatureMeans {
  /** Φ(−d₂) − exp(m)Φ(−d₁). */
  readonly value: number
  /** exp(m)Φ(−d₁). */
  readonly share: number
  /** The derivative of the mean value by the shape, less tilt·E[(w − 1)·value]. */
  readonly byShape: number
  /** The mean of (w − 1)·Φ(−d₂) for a call, of (w − centre)·share for a put. */
  readonly covariance: number
  /** The mean of the same with w + 1 or w + centre: the size of the parts that cancel. */
  readonly covarianceSize: number
  readonly lift: number
}

/** The properties of the option that the means need beside the put. */
export interface Side {
  /** The put stands for a call, in units of the spot. */
  readonly isCall: boolean
  /** For a call (1 − margin)/margin, else 0. */
  readonly tilt: number
  /** 1, for a put 1/margin: the mean time under the measure in which the share is a probability. */
  readonly centre: number
}

/** For d₁ below −9, Φ(d₁) is below the rounding of 1. */
const SURELY_EXERCISED = 9
/** Buffer for the results of `millsPair`. */
const pair = new Float64Array(2)
const [VALUE, SHARE, BY_SHAPE, COVARIANCE] = [0, 1, 2, 3]

export class GreekSums extends CurvatureSums {
  #value = 0
  #share = 0
  #byShape = 0
  /** The sum of the sizes of the terms of the derivative by the shape. */
  #size = 0
  #covariance = 0
  #covarianceSize = 0
  /** The terms of the last node, and of the one before it. */
  #term = new Float64Array(4)
  #last = new Float64Array(4)
  readonly #side: Side
  readonly #score: number
  /** Whether the derivative by the shape is a mean of second derivatives. */
  readonly #isLarge: boolean
  /** Whether the nodes extend to where the curvature lies. */
  readonly #hasCurvature: boolean

  constructor(put: ConditionalPut, side: Side, isLarge: boolean, hasCurvature: boolean) {
    super(put, side.isCall)
    this.#side = side
    this.#score = isLarge ? 0 : shapeScore(put.shape)
    this.#isLarge = isLarge
    this.#hasCurvature = hasCurvature
  }

  means(): GreekMeans {
    const { shape, lift } = this.put
    const peak = gammaDensityPeak(shape)
    return {
      value: this.#value * peak,
      share: this.#share * peak,
      ...this.curvatureMeans(),
      byShape: this.#byShape * peak,
      covariance: this.#covariance * peak,
      covarianceSize: this.#covarianceSize * peak,
      lift,
    }
  }

  /** Computes the value as `weightedValue` does, and the share and the curvature from the same exponentials. */
  protected override add(): void {
    const { w, log, m, factor } = node
    const { shape, lift, deviation } = this.put
    const logWeight = shape * log + lift
    const s = deviation * Math.sqrt(w)
    const t = 0.5 * s
    const distance = m / s
    const d2 = distance - t
    const density = this.addCurvature(factor, logWeight - 0.5 * d2 * d2, d2, s, w)
    const term = this.#last
    this.#last = this.#term
    this.#term = term
    let value = 0
    let share = 0
    if (distance + t < -SURELY_EXERCISED) {
      const weight = factor * Math.exp(logWeight)
      const less = Math.expm1(m)
      value = -weight * less
      share = less > -0.5 ? weight * (1 + less) : factor * Math.exp(logWeight + m)
    } else if (density > 0) {
      const y = Math.abs(distance)
      if (t <= y + 3) {
        value = density * millsPair(y, t, pair)
        share = density * pair[1]
        if (m < 0) {
          const weight = factor * Math.exp(logWeight)
          const less = Math.expm1(m)
          value -= weight * less
          // exp(m)Φ(d₁) is the smaller part unless d₁ is large.
          if (t - y > 1) share = density * millsRatio(t - y)
          else
            share = (less > -0.5 ? weight * (1 + less) : factor * Math.exp(logWeight + m)) - density * pair[0]
        }
      } else {
        value = factor * Math.exp(logWeight) - density * (millsRatio(t - y) + millsRatio(t + y))
        share = density * millsRatio(distance + t)
      }
    } else if (d2 < 0) value = factor * Math.exp(logWeight)
    node.d2 = d2
    node.s = s
    const byShape = this.#isLarge
      ? byLargeShape(this.put, this.#side.tilt, node, -share, density > 0 ? density / s : 0)
      : (this.#score + log - this.#side.tilt * (w - 1)) * value
    const exposed = this.#side.isCall ? value + share : share
    const size = (w + this.#side.centre) * exposed
    this.#covariance += (w - this.#side.centre) * exposed
    this.#covarianceSize += size
    term[COVARIANCE] = size
    term[VALUE] = value
    term[SHARE] = share
    term[BY_SHAPE] = byShape
    this.#value += value
    this.#share += share
    this.#byShape += byShape
    this.#size += Math.abs(byShape)
  }

  protected override addSpike(u: number, slope: number, deviation: number): number {
    const spike = super.addSpike(u, slope, deviation)
    const w = Math.exp(u)
    if (this.#isLarge)
      this.#byShape = byLargeShape(
        this.put,
        this.#side.tilt,
        { u, w, log: logDensity(u, w), d2: 0, s: 0 },
        0,
        spike,
      )
    this.#size = Math.abs(this.#byShape)
    return spike
  }

  protected override jump(): void {
    super.jump()
    this.#term.fill(Infinity)
  }

  protected override isNegligible(decay: number): boolean {
    const share = NEGLIGIBLE * decay
    const isSmall = (i: number, sum: number) => this.#term[i] <= share * sum && this.#term[i] <= this.#last[i]
    return (
      (!this.#hasCurvature || super.isNegligible(decay)) &&
      isSmall(VALUE, this.#value) &&
      isSmall(SHARE, this.#share) &&
      isSmall(COVARIANCE, this.#covarianceSize) &&
      Math.abs(this.#term[BY_SHAPE]) <= share * this.#size
    )
  }

  protected override stillTime(): number {
    const { level, drift, deviation, shape } = this.put
    if (this.#isLarge || level > 0) return 0
    if (level < 0)
      return Math.min(
        (-NEGLIGIBLE * level) / (Math.abs(drift) - level * shape),
        (level / (40 * deviation)) ** 2,
      )
    const still = NEGLIGIBLE * Math.min(1, 1 / shape)
    return Math.min((still / deviation) ** 2, ((still * deviation) / drift) ** 2)
  }

  protected override addRest(step: number): void {
    const { level, shape } = this.put
    const term = this.#term
    const root = level === 0 ? 0.5 : 0
    const rest = (power: number) => 1 / Math.expm1(power * step)
    const value = term[VALUE] * rest(shape + root)
    const share = term[SHARE] * rest(shape)
    this.#value += value
    this.#share += share
    const exposed = this.#side.centre * (this.#side.isCall ? value + share : share)
    this.#covariance -= exposed
    this.#covarianceSize += exposed
    if (level === 0) this.addCurvatureRest(step)
    // From term to term the score falls by one step.
    const power = shape + root
    this.#byShape += rest(power) * (term[BY_SHAPE] + (term[VALUE] * step) / Math.expm1(-power * step))
  }
}
