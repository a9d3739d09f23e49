/** Sensitivities of the Variance Gamma price of a European call or put. */
import { scaledProduct } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import { discounted, forwardValue } from './forward.ts'
import { greekMeans, rareMeans } from './greek-mixture.ts'
import {
  type OutOfTheMoney,
  outOfTheMoney,
  refuseOutside,
  representable,
  type VarianceGammaInput,
} from './variance-gamma.ts'
import { marginExcess } from './variance-gamma-put.ts'

export interface VarianceGammaOption extends VarianceGammaInput {
  readonly type: 'call' | 'put'
}

export interface VarianceGammaGreeks {
  readonly price: number
  /** ∂V/∂S. */
  readonly delta: number
  /** ∂²V/∂S², per unit of currency. */
  readonly gamma: number
  /** ∂V/∂σ, ∂V/∂θ and ∂V/∂ν, per 1.00 of each. */
  readonly bySigma: number
  readonly byTheta: number
  readonly byNu: number
  /** −∂V/∂T, per year that passes. */
  readonly decay: number
  /** ∂V/∂r, per 1.00 of rate. */
  readonly rho: number
}

/**
 * The derivatives of `varianceGammaCall` and of its put (Madan, Carr & Chang 1998, eq. 5–7), as means over the same gamma
 * time: of the Black–Scholes delta and of φ(d₂)/s, whose integrands are positive, and of the price times the score of the
 * density by its shape T/ν. Stein's identity for the gamma distribution, E[(w − 1)h] = E[w·h′]·ν/T, turns the derivatives by
 * σ and θ into means of φ(d₂)/s and d₂·φ(d₂); where those cancel more, as where large times make the price, they are means of (w − 1)h. The
 * time derivative follows from the others, since the price depends on T, ν, θ and σ only by θT, σ²T and T/ν. The option in
 * the money follows by parity.
 *
 * Throws DomainError as the price does, at T = 0, above the margin below, and where gamma is infinite: at the singular strike
 * ln(S/K) + (r − q)T + T/ν·ln(1 − θν − σ²ν/2) = 0 with T/ν ≤ ½, or T/ν ≤ 1 and σ = 0.
 */
export function varianceGammaGreeks(input: VarianceGammaOption): VarianceGammaGreeks {
  refuseOutside(input)
  const { spot, strike, rate, sigma, theta, nu, maturity, dividendYield } = input
  if (maturity === 0) throw new DomainError('maturity', 'must be greater than 0')
  const option = outOfTheMoney(spot, strike, rate, sigma, theta, nu, maturity, dividendYield)
  if (option === undefined) representable(Number.NaN)
  if (option!.margin > MOST_MARGIN)
    throw new DomainError(
      'theta',
      `1 − {theta}·{nu} − {sigma}²·{nu}/2 is above ${MOST_MARGIN}, where the derivatives lose digits`,
      { isSentence: true },
    )
  const greeks = inTheType(input, option!, outside(input, option!))
  for (const [name, greek] of Object.entries(greeks)) {
    if (name === 'price') representable(greek)
    else if (!Number.isFinite(greek))
      throw new DomainError(
        'maturity',
        `${NAMES[name]}, or an amount that it is computed from, cannot be computed at these values`,
        { isSentence: true },
      )
  }
  return greeks
}

/** Of 1 − θν − σ²ν/2: above 1e7 the derivative by ν was seen beyond its tolerance. */
const MOST_MARGIN = 1e6

/**
 * Above this probability of exercise of the option out of the money, one minus it, the derivatives of the option in the money and
 * the derivative by the shape are small differences, and are computed from what is rare.
 */
const LIKELY = 0.999

/** Above it a product has all its digits. */
const ORDINARY = 1e-290

const NAMES: Record<string, string> = {
  delta: 'Delta',
  gamma: 'Gamma',
  bySigma: 'The derivative by {sigma}',
  byTheta: 'The derivative by {theta}',
  byNu: 'The derivative by {nu}',
  decay: 'Theta',
  rho: 'Rho',
}

interface OutsideGreeks extends Omit<VarianceGammaGreeks, 'decay'> {
  /** Of the option in the money, where they are too small to be differences. */
  readonly inTheMoney?: { readonly delta: number; readonly rho: number }
}

/** The Greeks of the option out of the money, theta left out. */
function outside(input: VarianceGammaOption, option: OutOfTheMoney): OutsideGreeks {
  const { put, gap, margin, isCall, unit, value } = option
  const { spot, nu, maturity } = input
  const sigma = input.sigma + 0
  const { level, shape, drift } = put
  if (level === 0 && shape <= (sigma === 0 ? 1 : 0.5)) throw infiniteGamma(input)
  if (sigma === 0 && drift === 0 && put.central === 0) throw infiniteGamma(input)
  const side = { isCall, tilt: isCall ? gap.high / margin : 0, centre: isCall ? 1 : 1 / margin }
  const means = greekMeans(put, side)
  if (means === undefined) representable(Number.NaN)
  const { share, curvature, timedCurvature, asymmetry, asymmetrySize, byShape, lift, value: mean } = means!
  // In two factors, of which each alone is in the range of doubles.
  const root = Math.exp(-0.5 * lift)
  const scaled = (amount: number) => unit * root * (amount * root)
  // At a small spot these are in the range of doubles where the price is not.
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
  // Beside it the vega given the time, of which timed + drifted = timed/margin.
  const bySigma =
    timed + covarianceSize < timed / margin + bentSize ? timed + covariance : timed / margin - bent
  const excess = (isCall ? -1 : 1) * marginExcess(gap.high, margin)
  const inUnits = scaled(share)
  const whole = scaled(mean + share)
  const greeks = {
    price: value,
    delta: isCall ? over([spot], mean + share) : -over([spot], share),
    gamma: over([spot, spot], curvature),
    bySigma: sigma === 0 ? 0 : scaled(sigma * bySigma),
    byTheta: scaled(byTheta),
    byNu: scaled((shape / nu) * (excess * share - byShape)),
    rho: maturity * (isCall ? inUnits : -whole),
  }
  return whole > LIKELY * unit
    ? { ...greeks, ...ofWhatIsRare(input, option, Math.exp(-lift) * mean, excess) }
    : greeks
}

/**
 * Greeks of an option out of the money that is almost surely exercised, and those of the other one.
 * @param value of the option, in its unit
 * @param excess ∂level/∂shape
 */
function ofWhatIsRare(
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
  return {
    delta: (unit * delta) / spot,
    rho: maturity * unit * rho,
    byNu: unit * ((put.shape / nu) * byNu),
    inTheMoney: { delta: (unit * otherDelta) / spot, rho: maturity * unit * otherRho },
  }
}

function inTheType(
  input: VarianceGammaOption,
  { isCall, x, most, unit }: OutOfTheMoney,
  otm: OutsideGreeks,
): VarianceGammaGreeks {
  const { spot, strike, rate, sigma, theta, nu, maturity, dividendYield, type } = input
  let { price, delta, rho } = otm
  if ((type === 'call') !== isCall) {
    // Call less put: the discounted spot less the discounted strike.
    const strikeNow = isCall ? discounted(strike, rate, maturity) : unit
    const sign = type === 'call' ? 1 : -1
    price = Math.min(type === 'call' ? most : strikeNow, price + forwardValue(x, most, strikeNow))
    delta = otm.inTheMoney?.delta ?? delta + (sign * most) / spot
    rho = otm.inTheMoney?.rho ?? rho + sign * maturity * strikeNow
  }
  const model = theta * otm.byTheta + 0.5 * sigma * otm.bySigma - nu * otm.byNu
  const decay = dividendYield * spot * delta - (rate * rho) / maturity - model / maturity + 0
  return {
    price,
    delta: delta + 0,
    gamma: otm.gamma,
    bySigma: otm.bySigma,
    rho: rho + 0,
    byTheta: otm.byTheta + 0,
    byNu: otm.byNu + 0,
    decay,
  }
}

const infiniteGamma = (input: VarianceGammaOption) =>
  new DomainError(
    input.sigma === 0 ? 'sigma' : 'strike',
    'Gamma is infinite or undefined at these values: the density of the price at maturity has no finite value at {strike}',
    { isSentence: true },
  )
