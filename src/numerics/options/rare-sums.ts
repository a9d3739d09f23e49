/** Sums for a put that is almost surely exercised: of the rare cases, whose small means are lost as one minus the likely ones. */
import { type ConditionalPut, LEAST_EXPONENT } from './conditional-put.ts'
import { gammaDensityPeak, logDensity } from './gamma-density.ts'
import { byLargeShape, shapeScore } from './gamma-shape-score.ts'
import { GammaSums, NEGLIGIBLE, node } from './gamma-sums.ts'
import { millsDifference, millsRatio, NORMAL_PEAK } from './mills-ratio.ts'

/** `complement` and `call` are derivatives by the shape, less tilt·E[(w − 1)·…] as in `GreekMeans`; `…Size` sums their sizes. */
export interface RareMeans {
  /** Φ(d₂): the probability that the put is not exercised. */
  readonly unexercised: number
  /** exp(m)Φ(−d₁), which is small where the put is worth nearly all of the strike. */
  readonly share: number
  /** Derivative of 1 − value, which is Φ(d₂) + exp(m)Φ(−d₁). */
  readonly complement: number
  readonly complementSize: number
  /** Derivative of the call, exp(m)Φ(d₁) − Φ(d₂). */
  readonly call: number
  readonly callSize: number
}

export class RareSums extends GammaSums {
  protected override readonly hasUnexercised = true
  /** This is a second sum for the same option, at 0.2 µs a node: the limit keeps it from taking longer than the first. */
  protected override readonly mostNodes = 2000
  #sums = new Float64Array(6)
  #term = new Float64Array(4)
  #last = new Float64Array(4)
  /** The last term of 1 − value. */
  #rest = 0
  readonly #tilt: number
  readonly #score: number
  readonly #isLarge: boolean

  constructor(put: ConditionalPut, tilt: number, isLarge: boolean) {
    super(put)
    this.#tilt = tilt
    this.#isLarge = isLarge
    this.#score = isLarge ? 0 : shapeScore(put.shape)
  }

  means(): RareMeans {
    const peak = gammaDensityPeak(this.put.shape)
    const [unexercised, share, complementSize, callSize, complement, call] = this.#sums.map(
      (sum) => sum * peak,
    )
    return { unexercised, share, complement, complementSize, call, callSize }
  }

  protected add(): void {
    const { w, log, m, factor } = node
    const logWeight = this.put.shape * log
    const s = this.put.deviation * Math.sqrt(w)
    const t = 0.5 * s
    const distance = m / s
    const [d1, d2] = [distance + t, distance - t]
    const weight = factor * Math.exp(logWeight)
    const grown = factor * Math.exp(logWeight + m)
    const gain = m > 0 ? (m > 1 ? grown - weight : weight * Math.expm1(m)) : 0
    const exponent = logWeight - 0.5 * d2 * d2
    const density = exponent > LEAST_EXPONENT ? factor * NORMAL_PEAK * Math.exp(exponent) : 0
    // Far from the strike each term is 0 or its whole weight.
    let [unexercised, share, call] = [
      d2 > 0 ? weight : 0,
      d1 < 0 ? grown : 0,
      d1 > 0 && d2 < 0 ? grown : gain,
    ]
    let callShare = d1 < 0 ? 0 : grown
    if (density > 0) {
      const tail = density * millsRatio(Math.abs(d2))
      unexercised = d2 < 0 ? tail : weight - tail
      const other = density * millsRatio(Math.abs(d1))
      share = d1 < 0 ? grown - other : other
      callShare = d1 < 0 ? other : grown - other
      const y = Math.abs(distance)
      call =
        t <= y + 3
          ? gain + density * millsDifference(y, t)
          : grown - density * (millsRatio(t - y) + millsRatio(t + y))
    }
    const curvature = density > 0 ? density / s : 0
    const term = this.#last
    this.#last = this.#term
    this.#term = term
    let complement: number
    let ofCall: number
    if (this.#isLarge) {
      node.d2 = d2
      node.s = s
      complement = -byLargeShape(this.put, this.#tilt, node, -share, curvature)
      ofCall = byLargeShape(this.put, this.#tilt, node, callShare, curvature)
    } else {
      const score = this.#score + log - this.#tilt * (w - 1)
      complement = score * (unexercised + share)
      ofCall = score * call
    }
    this.#rest = unexercised + share
    term[0] = unexercised
    term[1] = share
    term[2] = Math.abs(complement)
    term[3] = Math.abs(ofCall)
    const sums = this.#sums
    for (let i = 0; i < 4; i++) sums[i] += term[i]
    sums[4] += complement
    sums[5] += ofCall
  }

  /** The time below which 1 − value no longer changes while the other terms vanish. */
  protected override stillTime(): number {
    const { level, drift, deviation, shape } = this.put
    if (this.#isLarge || level >= 0) return 0
    return Math.min(
      (-NEGLIGIBLE * level) / (Math.abs(drift) - level * shape),
      (level / (40 * deviation)) ** 2,
    )
  }

  protected override addRest(step: number): void {
    const rest = 1 / Math.expm1(this.put.shape * step)
    const size = rest * (this.#term[2] - (this.#rest * step) / Math.expm1(-this.put.shape * step))
    this.#sums[1] += this.#term[1] * rest
    this.#sums[2] += size
    this.#sums[4] -= size
  }

  protected jump(): void {
    this.#term.fill(Infinity)
  }

  protected isNegligible(decay: number): boolean {
    const share = NEGLIGIBLE * decay
    const [sums, term, last] = [this.#sums, this.#term, this.#last]
    return term.every((one, i) => one <= share * sums[i] && one <= last[i])
  }

  protected addSpike(u: number, slope: number): void {
    if (!this.#isLarge) return
    const w = Math.exp(u)
    const log = logDensity(u, w)
    const spike = Math.exp(this.put.shape * log) / slope
    const term = -byLargeShape(this.put, this.#tilt, { u, w, log, d2: 0, s: 0 }, 0, spike)
    this.#sums[2] += Math.abs(term)
    this.#sums[3] += Math.abs(term)
    this.#sums[4] += term
    this.#sums[5] -= term
  }
}
