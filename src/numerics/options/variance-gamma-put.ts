/** The parameters of a Variance Gamma option out of the money as those of a put given the gamma time. */
import { type DoubleDouble, productError, sumError, zeroIfNaN } from '../arithmetic/double-double.ts'
import { logRatio } from '../arithmetic/log-ratio.ts'
import type { ConditionalPut } from './conditional-put.ts'

/** For a gap below it, ln(1 − gap) + gap is summed as a series. */
const SMALL_GAP = 0.1

export interface GammaOption {
  readonly isCall: boolean
  /** ln(S/K) + (r − q)T. */
  readonly x: DoubleDouble
  /** 1 − margin = θν + σ²ν/2. */
  readonly gap: DoubleDouble
  readonly margin: number
  /** σ√T. */
  readonly deviation: number
  /** T/ν. */
  readonly shape: number
}

/** The put, or the call as a put in units of the spot. */
export function conditionalPut({ isCall, x, gap, margin, deviation, shape }: GammaOption): ConditionalPut {
  // (θ + σ²/2)T, in which a large σ² may cancel.
  const drift = shape * gap.high
  // ln M in two parts: beside the singular strike, where level is 0, it cancels.
  const log = logRatio(margin, 1)
  const complement = 1 - margin
  const rest = complement - gap.high + (sumError(1, -margin, complement) - gap.low)
  const logLow = log.low + rest / margin
  const product = shape * log.high
  const productLow = zeroIfNaN(productError(shape, log.high, product)) + shape * logLow
  const sum = x.high + product
  const level = sum + (zeroIfNaN(sumError(x.high, product, sum)) + x.low + productLow)
  // central = x + shape·(ln M + 1 − M), or for the call −x + shape·(ln 1/M + 1 − 1/M).
  const ownGap = isCall ? -gap.high / margin : gap.high
  const excess =
    Math.abs(ownGap) < SMALL_GAP
      ? excessSeries(ownGap)
      : isCall
        ? -log.high - gap.high / margin - logLow
        : log.high + gap.high + (logLow + gap.low)
  const central = (isCall ? -x.high : x.high) + (shape * excess + (isCall ? -x.low : x.low))
  const ownLevel = isCall ? -level : level
  const ownDrift = isCall ? -drift / margin : drift
  const ownDeviation = isCall ? deviation / Math.sqrt(margin) : deviation
  const spread = 0.5 * ownDeviation * ownDeviation
  return {
    level: ownLevel,
    central,
    drift: ownDrift,
    deviation: ownDeviation,
    shape,
    kink: kinkOf(ownLevel, ownDrift - spread, central - spread),
    lift: 0,
  }
}

/** The u at which level + drift·exp(u), which is `central` at u = 0, is 0; NaN where its sign never changes. */
function kinkOf(level: number, drift: number, central: number): number {
  if (level === 0 || drift === 0 || level < 0 === drift < 0) return Number.NaN
  const ratio = -central / drift
  return Math.abs(ratio) < 0.5 ? Math.log1p(ratio) : Math.log(-level / drift)
}

/** ln M + 1/M − 1 for M = 1 − gap: free of cancellation where the gap is small. */
export function marginExcess(gap: number, margin: number): number {
  if (Math.abs(gap) < SMALL_GAP) return excessSeries(gap) + (gap * gap) / margin
  return Math.log(margin) + gap / margin
}

/** ln(1 − g) + g = −g²/2 − g³/3 − … */
function excessSeries(gap: number): number {
  let sum = 0
  for (let n = 18; n >= 2; n--) sum = sum * gap + 1 / n
  return -sum * gap * gap
}

/** θν + σ²ν/2 in two parts: 1 − θν − σ²ν/2 may be a small difference. */
export function martingaleGap(theta: number, sigma: number, nu: number): DoubleDouble {
  const skew = nu * theta
  const spread = 0.5 * sigma * sigma
  const kurtosis = nu * spread
  const sum = skew + kurtosis
  const rest = zeroIfNaN(
    productError(nu, theta, skew) +
      productError(nu, spread, kurtosis) +
      nu * productError(0.5 * sigma, sigma, spread) +
      sumError(skew, kurtosis, sum),
  )
  const high = sum + rest
  return { high, low: sum - high + rest }
}
