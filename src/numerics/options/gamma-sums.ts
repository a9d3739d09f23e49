/** Sums of several means over a gamma time at the same nodes. */
import { spend } from '../budget.ts'
import { type ConditionalPut, NEAR_ZERO } from './conditional-put.ts'
import { logDensity } from './gamma-density.ts'
import { FIRST, kinkedGrid, kinkedNode, LEFT, RIGHT } from './kinked-mixture.ts'

/** More than for a price, because the curvature may depend on small times. */
const MOST_NODES = 4000
/** The time of a node, in microseconds. */
const NODE_MICROS = 0.2

/** The sums end at terms of this share of them. */
export const NEGLIGIBLE = 1e-15

/** The current node, in one object, because each number passed to a function would take memory. */
export const node = { u: 0, w: 0, log: 0, m: 0, factor: 0, d2: 0, s: 0 }

export abstract class GammaSums {
  protected put: ConditionalPut
  /** Whether terms count where the put is not exercised. */
  protected readonly hasUnexercised: boolean = false
  /** The limit on nodes, on each side. */
  protected readonly mostNodes: number = MOST_NODES

  constructor(put: ConditionalPut) {
    this.put = put
  }

  /** Adds the terms of `node`: of the time w = exp(u), with the logarithm of the density there and the log moneyness m. */
  protected abstract add(): void

  /** Whether the last terms fall, and all terms beyond them are negligible if each falls by at least the share `decay`. */
  protected abstract isNegligible(decay: number): boolean

  /** Forgets the last terms, because the next ones are no neighbours of them. */
  protected abstract jump(): void

  /** At a negligible deviation, adds the terms of the time at which the forward passes the strike, where |dm/du| = slope. */
  protected abstract addSpike(u: number, slope: number, deviation: number): unknown

  /**
   * The time below which the conditional values no longer change, so that the rest of the sum is a geometric series; 0 where
   * there is none.
   */
  protected stillTime(): number {
    return 0
  }

  /** Adds the terms left of the last one, from `stillTime` on. */
  protected addRest(_step: number): void {}

  /**
   * The trapezoidal sum in u from the first mark on in both directions, beyond all marks; false where it takes too many nodes.
   */
  smooth(step: number, marks: readonly number[]): boolean {
    if (!(step > 0)) return false
    const { shape, level } = this.put
    const start = marks[0]
    const [lowest, highest] = [Math.min(...marks), Math.max(...marks)]
    const ratio = Math.exp(step)
    const first = Math.exp(start)
    for (let n = 0, w = first; ; n++, w *= ratio) {
      if (n > this.mostNodes) return false
      const u = start + n * step
      this.#addAt(u, w, step)
      if (u > highest && this.isNegligible(1)) break
    }
    // At small times the density of u falls only as exp(shape·u), and the curvature at level 0 as exp((shape − ½)u).
    const power = level === 0 ? shape - 0.5 : shape
    const decay = level > 0 ? 0.1 : Math.min(1, -Math.expm1(-power * step))
    const still = this.stillTime()
    this.jump()
    for (let n = 1, w = first / ratio; n < this.mostNodes; n++, w /= ratio) {
      const u = start - n * step
      this.#addAt(u, w, step)
      if (u >= lowest) continue
      if (this.isNegligible(decay)) return true
      if (w < still) {
        this.addRest(step)
        return true
      }
    }
    return false
  }

  /** Sums both sides of the kink with nodes that crowd towards it, and the bulk if `hasBulk`; false where it takes too many nodes. */
  kinked(hasBulk: boolean): boolean {
    const { isCertain, scale, step } = kinkedGrid(this.put, hasBulk)
    const { kink, level, deviation } = this.put
    if (isCertain) {
      this.put = { ...this.put, deviation: 0 }
      this.addSpike(kink, Math.abs(level), deviation)
    }
    const sides = isCertain && !this.hasUnexercised ? (level > 0 ? [RIGHT] : [LEFT]) : [RIGHT, LEFT]
    return sides.every((side) => this.#oneSide(side, scale, step))
  }

  #oneSide(side: number, scale: number, step: number): boolean {
    this.jump()
    for (let n = 0; n <= this.mostNodes; n++) {
      spend(NODE_MICROS)
      const p = FIRST + n * step
      const { u, w, m, jacobian } = kinkedNode(this.put, side, scale, p)
      node.u = u
      node.w = w
      node.log = logDensity(u, w)
      node.m = m
      node.factor = step * jacobian
      this.add()
      if (p > 0 && this.isNegligible(1)) return true
    }
    return false
  }

  #addAt(u: number, w: number, factor: number): void {
    spend(NODE_MICROS)
    const { level, drift, central } = this.put
    const log = logDensity(u, w)
    node.u = u
    node.w = w
    node.log = log
    node.m = u < NEAR_ZERO ? level + drift * w : central + drift * (u - log)
    node.factor = factor
    this.add()
  }
}
