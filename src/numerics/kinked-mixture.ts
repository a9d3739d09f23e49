/** The mean over a gamma clock of an option's value where that passes the money so sharply that it is a kink. */
import { type ClockOption, kinkOf, weightedValue } from './clock-option.ts'

/** Range and grain of the first look at the integrand, in the logarithm of the distance from the kink. */
const LOWEST = -50
const HIGHEST = 110
const GRAIN = 0.5
/** What lies below this fraction of the largest value seen is left out. */
const NEGLIGIBLE = 1e-19

/**
 * ∫ value(u)·density(u)/density(0) du, split where the log moneyness changes its sign, at w = −level/drift > 0. Either
 * side is a trapezoid sum in z, with w = kink·(1 + exp(z)) above and kink·exp(−exp(z)) below: nodes crowd towards the
 * kink doubly fast, so a deviation of 0 or next to it needs no more.
 * At most 2,500 evaluations a side; NaN where the range of z would have to exceed 160.
 */
export function kinkedMixture(option: ClockOption): number {
  const kink = kinkOf(option)
  const distance = Math.max(Math.abs(Math.log(kink)), Math.abs(Math.log(kink * option.margin)))
  const width = 1 / Math.sqrt(1 + Math.min(100, option.shape * distance * distance))
  const step = Math.min(0.16, 0.75 * width)
  return sideSum(option, 1, step) + sideSum(option, -1, step)
}

function sideSum(option: ClockOption, side: 1 | -1, step: number): number {
  const { isCall, level, deviation, shape, margin } = option
  const kink = kinkOf(option)
  const layer = Math.log((deviation * Math.sqrt(kink)) / Math.abs(level))
  const from = Math.max(LOWEST, Math.min(layer - 24, -24))
  const decay = isCall ? Math.min(1, margin) : 1
  const to = side > 0 ? Math.log((1 + 60 / shape) / (decay * kink)) + 1 : Math.log(60 / shape + 2)
  if (!(to <= HIGHEST)) return Number.NaN
  let largest = 0
  for (let z = from; z < to; z += GRAIN) largest = Math.max(largest, integrand(option, side, kink, z))
  let low = from
  let high = to
  while (low < high && integrand(option, side, kink, low) <= NEGLIGIBLE * largest) low += GRAIN
  while (low < high && integrand(option, side, kink, high) <= NEGLIGIBLE * largest) high -= GRAIN
  let sum = 0
  for (let z = low - GRAIN; z < high + GRAIN; z += step) sum += integrand(option, side, kink, z)
  return step * sum
}

function integrand(option: ClockOption, side: 1 | -1, kink: number, z: number): number {
  const e = Math.exp(z)
  if (side > 0) {
    const u = Math.log(kink) + Math.log1p(e)
    return weightedValue(option, u, kink * (1 + e), -option.level * e) * (e / (1 + e))
  }
  const u = Math.log(kink) - e
  return weightedValue(option, u, Math.exp(u), -option.level * Math.expm1(-e)) * e
}
