/** Black–Scholes–Merton prices where no parameter is extreme: the same formula in fewer steps. */
import { exponential } from '../arithmetic/exponential.ts'
import { fastLogRatio } from '../arithmetic/fast-log-ratio.ts'
import { millsDifference, NORMAL_PEAK } from './mills-ratio.ts'
import { preciseExponent } from './precise-exponent.ts'
import type { VolatileOption } from './standard-option.ts'

/** The rounding of x, at most 2⁻⁵², is corrected where the price magnifies it by more than this factor. */
const MAGNIFIED = 16
/** The largest factor at which a logarithm to 59 bits is still accurate enough. */
const MOST_MAGNIFIED = 1e4

/**
 * The price as `blackScholesPrice` defines it, or NaN where a parameter is too extreme. An error δ of
 * x = ln(S/K) + (r − q)T changes the price by less than 2(1 + y)δ/√v of itself, where y = |x|/√v. So the relative error is
 * below 4e-15 where that of x is not corrected, and below 3e-14 elsewhere.
 */
export function fastBlackScholes(option: VolatileOption & { readonly type: 'call' | 'put' }): number {
  const { spot, strike, rate, volatility, maturity, dividendYield, type } = option
  const s = volatility * Math.sqrt(maturity)
  const t = 0.5 * s
  const inverse = 1 / s
  const drift = (rate - dividendYield) * maturity
  const decay = 0.5 * (rate + dividendYield) * maturity
  if (!(spot > 1e-30 && spot < 1e30 && strike > 1e-30 && strike < 1e30)) return Number.NaN
  if (!(t > 1e-290 && t < 3 && Math.abs(drift) + Math.abs(decay) < 2)) return Number.NaN

  const log = fastLogRatio(spot, strike)
  let x = log.high + (log.low + drift)
  let y = Math.abs(x) * inverse
  let exponent = -0.5 * (y * y + t * t) - decay
  let exponentLow = 0
  const magnified = (1 + y) * (y + (Math.abs(log.high) + Math.abs(drift)) * inverse)
  if (!(magnified < MAGNIFIED)) {
    if (!(magnified < MOST_MAGNIFIED && exponent > -690)) return Number.NaN
    // Beyond these limits the halves of 24 bits in `preciseExponent` could leave the range of 32-bit floats.
    if (!(s > 1e-15 && maturity > 1e-30 && maturity < 1e30)) return Number.NaN
    const precise = preciseExponent(log, option)
    x = precise.x
    y = precise.y
    exponent = precise.high
    exponentLow = precise.low
  }
  const mean = Math.sqrt(spot * strike)
  const otm = mean * exponential(exponent, exponentLow) * millsDifference(y, t) * NORMAL_PEAK
  if (type === 'call' ? x <= 0 : x >= 0) return otm
  // Its rounding would grow with x in the exponent of a share of the mean.
  if (Math.abs(x) > 1)
    return (
      otm +
      Math.abs(spot * exponential(-dividendYield * maturity, 0) - strike * exponential(-rate * maturity, 0))
    )
  return otm + mean * forwardShare(Math.abs(x), decay)
}

/** |S·exp(−qT) − K·exp(−rT)|/√(SK) = exp(−decay)·2·sinh(size/2) for a size of at most 1. */
function forwardShare(size: number, decay: number): number {
  const z = 0.5 * size
  const zz = z * z
  const far = 1 / 362880 + zz * (1 / 39916800 + zz * (1 / 6227020800))
  const series = 1 + zz * (1 / 6 + zz * (1 / 120 + zz * (1 / 5040 + zz * far)))
  return exponential(-decay, 0) * size * series
}
