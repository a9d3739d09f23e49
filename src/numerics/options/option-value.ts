/** The Black–Scholes–Merton value of an option with parameters of any size. */
import { scaledProduct } from '../arithmetic/scaled-product.ts'
import { normalDensity } from './distances.ts'
import { forwardValue } from './forward.ts'
import { millsDifference, millsRatio } from './mills-ratio.ts'
import type { StandardOption } from './standard-option.ts'

/** From this |x|/s − s/2 on, an option out of the money is the difference of two Mills' ratios. */
const LEAST_DISTANCE = -3
/** Up to this |x|/s the difference of Mills' ratios comes from their table. */
const FARTHEST = 110
/** Below this exponent the exponential times two of the largest doubles is 0. */
const VANISHING = -2200

/**
 * The option's value times a factor not below 0, which is applied from the start because the value alone may underflow.
 *
 * With y = |x|/s, t = s/2 and Mills' ratio R, the option out of the money is S·exp(−qT)·φ(d₁)·[R(y − t) − R(y + t)], free of
 * cancellation; where s exceeds |x| it is nearly all of the discounted spot (call) or strike (put). The other option adds the
 * discounted payoff of the forward.
 */
export function optionValue(isCall: boolean, option: StandardOption, factor: number): number {
  const { spot, strike, x, spotDecay, strikeDecay } = option
  const outOfTheMoney = timeValue(option, factor)
  if (isCall ? x.high <= 0 : x.high >= 0) return outOfTheMoney
  const spotNow = scaledProduct(spotDecay, [spot, factor])
  const strikeNow = scaledProduct(strikeDecay, [strike, factor])
  let forward = forwardValue(x, spotNow, strikeNow)
  for (const part of option.enlargement) forward /= part
  return outOfTheMoney + forward
}

function timeValue(option: StandardOption, factor: number): number {
  const { spot, strike, x, d1, d2, y, s, spotDecay, strikeDecay, densityExponent, enlargement } = option
  if (s === 0) return 0
  // The value is 0, unless a discount factor beyond the range of doubles brings the exponent back into range: then NaN.
  if (y > FARTHEST) return densityExponent.high < VANISHING ? 0 : Number.NaN
  const isCall = x.high < 0
  const nearer = isCall ? -d1.high : d2.high
  if (nearer >= LEAST_DISTANCE)
    return normalDensity(densityExponent, [spot, factor, millsDifference(y, 0.5 * s)], enlargement)
  const most = isCall
    ? scaledProduct(spotDecay, [spot, factor])
    : scaledProduct(strikeDecay, [strike, factor])
  const less = millsRatio(-nearer) + millsRatio(isCall ? -d2.high : d1.high)
  return most - normalDensity(densityExponent, [spot, factor, less])
}
