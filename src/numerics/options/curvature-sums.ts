/** The mean curvature of a put over a gamma time: summed alone where it lies at times far from the bulk, else with other means. */
import { type ConditionalPut, LEAST_EXPONENT } from './conditional-put.ts'
import { gammaDensityPeak, logDensity } from './gamma-density.ts'
import { GammaSums, NEGLIGIBLE, node } from './gamma-sums.ts'
import { NORMAL_PEAK } from './mills-ratio.ts'

/** Means over the time w in units of exp(−lift). Given w, the log moneyness is m, its variance s², and d₁ and d₂ are m/s ± s/2. */
export interface CurvatureMeans {
  /** φ(d₂)/s. */
  readonly curvature: number
  /** w·φ(d₂)/s. */
  readonly timedCurvature: number
  /** d₂·φ(d₂); where the put stands for a call, −d₁·φ(d₂), because −d₁ is the d₂ of the call. */
  readonly asymmetry: number
  /** The sum of the sizes of the terms of `asymmetry`. */
  readonly asymmetrySize: number
}

export class CurvatureSums extends GammaSums {
  readonly #isCall: boolean
  #curvature = 0
  #timed = 0
  #asymmetry = 0
  #asymmetrySize = 0
  /** The last terms of both sums of curvature, and whether they are no larger than those before. */
  #term = 0
  #timedTerm = 0
  #falls = false

  constructor(put: ConditionalPut, isCall: boolean) {
    super(put)
    this.#isCall = isCall
  }

  curvatureMeans(): CurvatureMeans {
    const peak = gammaDensityPeak(this.put.shape)
    return {
      curvature: this.#curvature * peak,
      timedCurvature: this.#timed * peak,
      asymmetry: this.#asymmetry * peak,
      asymmetrySize: this.#asymmetrySize * peak,
    }
  }

  protected add(): void {
    const { w, log, m, factor } = node
    const { shape, lift, deviation } = this.put
    const s = deviation * Math.sqrt(w)
    const d2 = m / s - 0.5 * s
    this.addCurvature(factor, shape * log + lift - 0.5 * d2 * d2, d2, s, w)
  }

  /** Adds the terms of a time with the weighted density φ(d₂), whose logarithm is `exponent`; returns that density. */
  protected addCurvature(factor: number, exponent: number, d2: number, s: number, w: number): number {
    let density = 0
    let term = 0
    if (exponent > LEAST_EXPONENT) {
      density = factor * NORMAL_PEAK * Math.exp(exponent)
      term = density / s
      const asymmetry = density * (this.#isCall ? -d2 - s : d2)
      this.#asymmetry += asymmetry
      this.#asymmetrySize += Math.abs(asymmetry)
    }
    const timed = term * w
    this.#falls = term <= this.#term && timed <= this.#timedTerm
    this.#term = term
    this.#timedTerm = timed
    this.#curvature += term
    this.#timed += timed
    return density
  }

  /** Adds the terms left of the last one at level 0, where s falls as exp(u/2) and the asymmetry is proportional to `timed`. */
  protected addCurvatureRest(step: number): void {
    const { shape, drift, deviation } = this.put
    this.#curvature += this.#term / Math.expm1((shape - 0.5) * step)
    const timed = this.#timedTerm / Math.expm1((shape + 0.5) * step)
    this.#timed += timed
    const asymmetry = ((this.#isCall ? -drift : drift) - 0.5 * deviation * deviation) * timed
    this.#asymmetry += asymmetry
    this.#asymmetrySize += Math.abs(asymmetry)
  }

  protected jump(): void {
    this.#term = Infinity
    this.#timedTerm = Infinity
  }

  protected isNegligible(decay: number): boolean {
    const share = NEGLIGIBLE * decay
    return this.#falls && this.#term <= share * this.#curvature && this.#timedTerm <= share * this.#timed
  }

  /** d₂·φ(d₂) is −φ′(d₂), so by parts its mean is that of φ(d₂) times the derivative of the other factors by d₂. */
  protected addSpike(u: number, slope: number, deviation: number): number {
    const { level, shape, lift } = this.put
    const w = Math.exp(u)
    const spike = Math.exp(shape * logDensity(u, w) + lift) / slope
    this.#curvature = spike
    this.#timed = spike * w
    const bend = (0.5 + shape * Math.expm1(u)) / level
    this.#asymmetry = (this.#isCall ? -bend - 1 : bend) * deviation * deviation * w * spike
    this.#asymmetrySize = Math.abs(this.#asymmetry)
    return spike
  }
}
