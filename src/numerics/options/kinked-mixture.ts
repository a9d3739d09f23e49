/** The mean over a gamma clock of an option's value where that passes the money so sharply that it is a kink. */
import { type ClockOption, kinkOf, weightedValue } from './clock-option.ts'
import { logDensity } from './gamma-clock.ts'

const STEP = 0.15
/** Where the doubly exponential approach to the kink has reached exp(−54). */
const FIRST = -4
const MOST_NODES = 3000
const NEGLIGIBLE = 1e-17

/**
 * ∫ value(u)·density(u)/density(0) du, split where the log moneyness changes its sign, at w = kink > 0. Either side is
 * a trapezoid sum in p, with z = scale + p − exp(−p) and w = kink·(1 + exp(z)) above, kink·exp(−exp(z)) below: nodes
 * crowd towards the kink from the width of the time value on, so a deviation next to 0 costs a few nodes a decade
 * (after Takahasi & Mori 1974). NaN where `MOST_NODES` on a side would not do.
 */
export function kinkedMixture(option: ClockOption): number {
  const { deviation, level, shape, margin } = option
  const kink = kinkOf(option)
  if (shape * logDensity(Math.log(kink), kink) < -2000) return 0
  const distance = Math.max(Math.abs(Math.log(kink)), Math.abs(Math.log(kink * margin)))
  const step = Math.min(STEP, 0.75 / Math.sqrt(1 + Math.min(100, shape * distance * distance)))
  // The time value's width, and the length over which the density changes, both against the kink.
  const layer = Math.log((deviation * Math.sqrt(kink)) / Math.abs(level))
  const slope = -Math.log(1 + shape * Math.abs(kink - 1) + Math.sqrt(shape))
  if (layer < slope - 18) {
    const certain = { ...option, deviation: 0 }
    return sideSum(certain, kink, 1, slope, step) + sideSum(certain, kink, -1, slope, step)
  }
  const scale = Math.min(layer, slope)
  return sideSum(option, kink, 1, scale, step) + sideSum(option, kink, -1, scale, step)
}

function sideSum(option: ClockOption, kink: number, side: 1 | -1, scale: number, step: number): number {
  if (option.deviation === 0 && side > 0 === (option.isCall ? option.drift < 0 : option.drift > 0)) return 0
  const logKink = Math.log(kink)
  let sum = 0
  let last = 0
  for (let n = 0; n < MOST_NODES; n++) {
    const p = FIRST + n * step
    const approach = Math.exp(-p)
    const e = Math.exp(scale + p - approach)
    const u = side > 0 ? logKink + Math.log1p(e) : logKink - e
    const w = side > 0 ? kink * (1 + e) : Math.exp(u)
    const m = side > 0 ? -option.level * e : -option.level * Math.expm1(-e)
    const jacobian = (side > 0 ? e / (1 + e) : e) * (1 + approach)
    const term = weightedValue(option, u, w, m) * jacobian
    sum += term
    if (term <= NEGLIGIBLE * sum && term <= last && p > 0) return step * sum
    last = term
  }
  return Number.NaN
}
