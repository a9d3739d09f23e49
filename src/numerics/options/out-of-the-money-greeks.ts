/** Sensitivities of the Variance Gamma price of the option out of the money, which variance-gamma-greeks.ts completes. */
import { scaledProduct } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import { greekMeans, rareMeans } from './greek-mixture.ts'
import { type OutOfTheMoney, representable, type VarianceGammaOption } from './variance-gamma.ts'
import { marginExcess } from './variance-gamma-put.ts'

/**
 * Where the option out of the money is exercised with a higher probability, the Greeks of the option in the money and the
 * derivative by the shape would be small differences; they are computed from the rare cases instead.
 */
const LIKELY = 0.999

/** A product above this has all its digits. */
const ORDINARY = 1e-290

export interface Derivatives {
  /** ∂V/∂S. */
  readonly delta: number
  /** ∂²V/∂S², per unit of currency. */
  readonly gamma: number
  /** ∂V/∂σ, ∂V/∂θ and ∂V/∂ν, per 1.00 of each. */
  readonly bySigma: number
  readonly byTheta: number
  readonly byNu: number
  /** ∂V/∂r, per 1.00 of rate. */
  readonly rho: number
}

export interface OutOfTheMoneyGreeks extends Derivatives {
  /** Spot times delta, which keeps its digits where delta is below the normal doubles. */
  readonly hedge: number
  /** Greeks of the option in the money, where they are too small to be computed as differences by parity. */
  readonly inTheMoney?: { readonly delta: number; readonly hedge: number; readonly rho: number }
}

/**
 * The Greeks of the option out of the money, theta left out.
 * @param count the factor by which spot and strike were multiplied; gamma, which is divided by the spot twice, is corrected for it
 */
export function outOfTheMoneyGreeks(
  input: VarianceGammaOption,
  option: OutOfTheMoney,
  count = 1,
): OutOfTheMoneyGreeks {
  const { put, gap, margin, isCall, unit } = option
  const { spot, nu, maturity } = input
  const sigma = input.sigma + 0
  const { level, shape, drift } = put
  if (level === 0 && shape <= (sigma === 0 ? 1 : 0.5)) throw infiniteGamma(input)
  if (sigma === 0 && drift === 0 && put.central === 0) throw infiniteGamma(input)
  const side = { isCall, tilt: isCall ? gap.high / margin : 0, centre: isCall ? 1 : 1 / margin }
  const means = greekMeans(put, side)
  if (means === undefined) representable(Number.NaN)
  const { share, curvature, timedCurvature, asymmetry, asymmetrySize, byShape, lift, value: mean } = means!
  // exp(−lift) as the square of a number in the range of doubles.
  const root = Math.exp(-0.5 * lift)
  const scaled = (amount: number) => unit * root * (amount * root)
  // Divided by a small spot, an amount may be in the range of doubles although the price is not.
  const over = (spots: readonly number[], amount: number) => {
    const product = scaled(amount)
    return product > ORDINARY
      ? spots.reduce((quotient, divisor) => quotient / divisor, product)
      : scaledProduct({ high: -lift, low: 0 }, [unit, amount], spots)
  }
  // T for the option's own gamma time, which for a call is margin times that of its dual.
  const time = isCall ? maturity / margin : maturity
  const timed = time * timedCurvature
  const drifted = (nu / margin) * (isCall ? -drift : drift) * timedCurvature
  const bent = (0.5 * nu * asymmetry) / margin
  const bentSize = (0.5 * nu * asymmetrySize) / margin
  const covariance = (isCall ? time : -time) * means!.covariance
  const covarianceSize = time * means!.covarianceSize
  const byTheta = covarianceSize < Math.abs(drifted) + bentSize ? covariance : drifted - bent
  // The derivative by θ plus the vega given the time, `timed`; timed + drifted is timed/margin.
  const bySigma =
    timed + covarianceSize < timed / margin + bentSize ? timed + covariance : timed / margin - bent
  const excess = (isCall ? -1 : 1) * marginExcess(gap.high, margin)
  const inUnits = scaled(share)
  const whole = scaled(mean + share)
  const greeks = {
    delta: isCall ? over([spot], mean + share) : -over([spot], share),
    hedge: isCall ? whole : -inUnits,
    gamma: over([spot, spot / count], curvature),
    bySigma: sigma === 0 ? 0 : scaled(sigma * bySigma),
    byTheta: scaled(byTheta),
    byNu: scaled((shape / nu) * (excess * share - byShape)),
    rho: maturity * (isCall ? inUnits : -whole),
  }
  return whole > LIKELY * unit
    ? { ...greeks, ...likelyExercisedGreeks(input, option, Math.exp(-lift) * mean, excess) }
    : greeks
}

/**
 * Greeks of an option out of the money that is almost surely exercised, and of the option in the money.
 * @param value of the option, in its unit
 * @param excess ∂level/∂shape
 */
function likelyExercisedGreeks(
  { spot, nu, maturity }: VarianceGammaOption,
  { x, put, gap, margin, isCall, unit }: OutOfTheMoney,
  value: number,
  excess: number,
) {
  const rare = rareMeans(put, isCall ? gap.high / margin : 0)
  if (rare === undefined) representable(Number.NaN)
  const { unexercised, share, complement, complementSize, call, callSize } = rare!
  const callShare = Math.expm1(Math.abs(x.high)) + value + unexercised
  const byCall = callSize + Math.abs(excess) * callShare < complementSize + Math.abs(excess) * share
  const byNu = byCall ? -excess * callShare - call : excess * share + complement
  const [delta, rho] = isCall ? [1 - unexercised, share] : [-share, unexercised - 1]
  const [otherDelta, otherRho] = isCall ? [-unexercised, -callShare] : [callShare, unexercised]
  const shares = (hedge: number, rho: number) => ({
    delta: (unit * hedge) / spot,
    hedge: unit * hedge,
    rho: maturity * unit * rho,
  })
  return {
    ...shares(delta, rho),
    byNu: unit * ((put.shape / nu) * byNu),
    inTheMoney: shares(otherDelta, otherRho),
  }
}

const infiniteGamma = (input: VarianceGammaOption) =>
  new DomainError(
    input.sigma === 0 ? 'sigma' : 'strike',
    'Gamma is infinite or undefined at these values: the density of the price at maturity has no finite value at {strike}',
    { isSentence: true },
  )
