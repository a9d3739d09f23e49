/** The curvature of a put by itself, where it lies at times far from the bulk. */
import { gammaDensityPeak, logDensity } from './gamma-density.ts'
import { GammaSums, NEGLIGIBLE, node } from './gamma-sums.ts'
import { NORMAL_PEAK } from './mills-ratio.ts'

/** The means of φ(d₂)/s and of w·φ(d₂)/s, in units of exp(−lift). */
export class CurvatureSums extends GammaSums {
  #curvature = 0
  #timed = 0
  #term = 0
  #timedTerm = 0
  #falls = false

  means(): { curvature: number; timedCurvature: number } {
    const peak = gammaDensityPeak(this.put.shape)
    return { curvature: this.#curvature * peak, timedCurvature: this.#timed * peak }
  }

  protected add(): void {
    const { w, log, m, factor } = node
    const { shape, lift, deviation } = this.put
    const s = deviation * Math.sqrt(w)
    const d2 = m / s - 0.5 * s
    const term = s > 0 ? (factor * NORMAL_PEAK * Math.exp(shape * log + lift - 0.5 * d2 * d2)) / s : 0
    const timed = term * w
    this.#falls = term <= this.#term && timed <= this.#timedTerm
    this.#term = term
    this.#timedTerm = timed
    this.#curvature += term
    this.#timed += timed
  }

  protected jump(): void {
    this.#term = Infinity
    this.#timedTerm = Infinity
  }

  protected isNegligible(decay: number): boolean {
    const share = NEGLIGIBLE * decay
    return this.#falls && this.#term <= share * this.#curvature && this.#timedTerm <= share * this.#timed
  }

  protected addSpike(u: number, slope: number): void {
    const w = Math.exp(u)
    const spike = Math.exp(this.put.shape * logDensity(u, w) + this.put.lift) / slope
    this.#curvature = spike
    this.#timed = spike * w
  }
}
