/** The mean over a gamma time of a put's value that has a kink, because exercise becomes likely within a short time. */
import { spend } from '../budget.ts'
import { type ConditionalPut, weightedValue } from './conditional-put.ts'
import { logDensity } from './gamma-density.ts'

/** The first p: exp(p − exp(−p)), which falls doubly exponentially towards the kink, is below exp(−58) there. */
export const FIRST = -4
/** The limit on the nodes of both sides together: a price takes at most 0.2 ms. */
const MOST_NODES = 1050
/** The sides of the kink in w. */
export const [RIGHT, LEFT] = [1, -1]
const BOTH = [RIGHT, LEFT]
const NEGLIGIBLE = 1e-17
/** The time of a node, in microseconds. */
const NODE_MICROS = 0.15
/** Where the width of the time value is below exp(−18) of the density's scale, its share of the price is below 1e-15. */
const NO_TIME_VALUE = -18

/**
 * ∫ value(u)·density(u)/density(0) du, split at the kink. Each side is a trapezoidal sum in p, with z = scale + p − exp(−p) and
 * w = exp(kink)·(1 + exp(z)) right of the kink, exp(kink − exp(z)) left of it. Nodes crowd towards the kink from the width of the
 * time value on, so that a small deviation costs a few nodes a decade (after Takahasi & Mori 1974). NaN where `MOST_NODES` are
 * not enough: where T/ν is about 1 or less and 1 − θν − σ²ν/2 above 1e38, or T/ν below 1e-53.
 */
export function kinkedMixture(put: ConditionalPut): number {
  const { isCertain, scale, step } = kinkedGrid(put)
  if (isCertain) return sumOf({ ...put, deviation: 0 }, [put.level > 0 ? RIGHT : LEFT], scale, step)
  return sumOf(put, BOTH, scale, step)
}

/**
 * The scale and step of the nodes on both sides of the kink. `isCertain`: the payoff alone makes up the price.
 * @param hasBulk whether the nodes sum the bulk too
 */
export function kinkedGrid(
  put: ConditionalPut,
  hasBulk = true,
): { isCertain: boolean; scale: number; step: number } {
  const { central, deviation, kink, level, shape } = put
  // The time value's width, and the length over which the density changes, both relative to the kink.
  const layer = Math.log((deviation * Math.exp(0.5 * kink)) / Math.abs(level))
  const steepness = shape * Math.abs(Math.expm1(kink))
  const slope = -Math.log(1 + steepness + Math.sqrt(shape))
  // A peak of width σ in u has the width σ·|dz/du| in z: the bulk, of width 1/√shape, where the put is in the money at the
  // mean time; otherwise a peak of the time value, which is as wide as the time value.
  const distance = kink < 0 ? Math.expm1(kink) : kink
  const sharpness = central < 0 && hasBulk ? shape * distance * distance : (steepness * Math.exp(layer)) ** 2
  const step = 1 / Math.sqrt(60 + 3.8 * sharpness)
  if (layer < slope + NO_TIME_VALUE) return { isCertain: true, scale: slope, step }
  return { isCertain: false, scale: Math.min(layer, slope), step }
}

function sumOf(put: ConditionalPut, sides: readonly number[], scale: number, step: number): number {
  let total = 0
  let nodes = 0
  for (const side of sides) {
    let sum = 0
    let last = 0
    for (let n = 0; ; n++) {
      if (++nodes > MOST_NODES) return Number.NaN
      spend(NODE_MICROS)
      const p = FIRST + n * step
      const term = termAt(put, side, scale, p)
      sum += term
      if (term <= NEGLIGIBLE * sum && term <= last && p > 0) break
      last = term
    }
    total += sum
  }
  return step * total
}

function termAt(put: ConditionalPut, side: number, scale: number, p: number): number {
  const { u, w, m, jacobian } = kinkedNode(put, side, scale, p)
  return weightedValue(put, logDensity(u, w), w, m) * jacobian
}

/** The logarithm u of the time at p, w = exp(u), the log moneyness there, and du/dp. */
export function kinkedNode(put: ConditionalPut, side: number, scale: number, p: number) {
  const { deviation, kink, level } = put
  const spread = 0.5 * deviation * deviation
  const w0 = Math.exp(kink)
  const approach = Math.exp(-p)
  const e = Math.exp(scale + p - approach)
  const u = side > 0 ? kink + Math.log1p(e) : kink - e
  const w = side > 0 ? w0 * (1 + e) : Math.exp(u)
  const m = (side > 0 ? -level * e : -level * Math.expm1(-e)) + spread * w
  const jacobian = (side > 0 ? e / (1 + e) : e) * (1 + approach)
  return { u, w, m, jacobian }
}
