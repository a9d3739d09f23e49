/** Sensitivities of the Variance Gamma price of a European call or put. */
import { powerOf } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import { discounted, forwardValue } from './forward.ts'
import { type Derivatives, type OutOfTheMoneyGreeks, outOfTheMoneyGreeks } from './out-of-the-money-greeks.ts'
import {
  type OutOfTheMoney,
  outOfTheMoney,
  refuseOutside,
  representable,
  type VarianceGammaOption,
} from './variance-gamma.ts'

export interface VarianceGammaGreeks extends Derivatives {
  readonly price: number
  /** −∂V/∂T, per year that passes. */
  readonly decay: number
}

/**
 * The derivatives of `varianceGammaCall` and of its put (Madan, Carr & Chang 1998, eq. 5–7), as means over the same gamma time:
 * of the Black–Scholes delta and of φ(d₂)/s, whose integrands are positive, and of the price times the score of the density by
 * its shape T/ν. Stein's identity for the gamma distribution, E[(w − 1)h] = E[w·h′]·ν/T, turns the derivatives by σ and θ into
 * means of φ(d₂)/s and d₂·φ(d₂); where those cancel more, as where large times dominate, they are means of (w − 1)h. The
 * time derivative follows from the others, since the price depends on T, ν, θ and σ only by θT, σ²T and T/ν. The option in the
 * money follows by parity.
 *
 * Throws DomainError as the price does, at T = 0, above the limits below, and where gamma is infinite: at the singular strike
 * ln(S/K) + (r − q)T + T/ν·ln(1 − θν − σ²ν/2) = 0 with T/ν ≤ ½, or T/ν ≤ 1 and σ = 0.
 */
export function varianceGammaGreeks(input: VarianceGammaOption): VarianceGammaGreeks {
  refuseOutside(input)
  const { sigma, nu, maturity } = input
  if (maturity === 0) throw new DomainError('maturity', 'must be greater than 0')
  const option = outOfTheMoney(input)
  if (option === undefined) representable(Number.NaN)
  if (option!.margin > MOST_MARGIN)
    throw losesDigits('theta', `1 − {theta}·{nu} − {sigma}²·{nu}/2 is above ${MOST_MARGIN}`)
  if (0.5 * sigma * sigma * nu > MOST_JUMP)
    throw losesDigits('sigma', `{sigma}²·{nu}/2 is above ${MOST_JUMP}`)
  const greeks = { ...greeksOf(input, option!), price: priceOf(input, option!) }
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

/** The Greeks of one option; where its amounts are too small to have all their digits, a share of those of many options. */
function greeksOf(input: VarianceGammaOption, option: OutOfTheMoney): Omit<VarianceGammaGreeks, 'price'> {
  const count = countFor(input, option)
  if (count === 1) return greeksOfType(input, option, outOfTheMoneyGreeks(input, option))
  const larger = { ...input, spot: input.spot * count, strike: input.strike * count }
  const many = outOfTheMoney(larger)!
  const found = greeksOfType(larger, many, outOfTheMoneyGreeks(larger, many, count))
  const { bySigma, byTheta, byNu, decay, rho } = found
  return {
    ...found,
    bySigma: bySigma / count,
    byTheta: byTheta / count,
    byNu: byNu / count,
    decay: decay / count,
    rho: rho / count,
  }
}

/** The number of options to compute at once: a power of two at which no amount overflows. */
const countFor = ({ spot, strike }: VarianceGammaOption, { most, unit, value }: OutOfTheMoney): number =>
  value > SMALL ? 1 : 2 ** Math.max(0, Math.min(600, 900 - powerOf(Math.max(spot, strike, most, unit))))

/** Below this price, products with it may be below the normal doubles. */
const SMALL = 1e-200

/** The largest 1 − θν − σ²ν/2 accepted: above 1e7 the error of the derivative by ν was seen to exceed its tolerance. */
const MOST_MARGIN = 1e6
/** The largest σ²ν/2 accepted: above 2e4, with T/ν below 1e-9, that of the derivative by σ was. */
const MOST_JUMP = 1e4

const losesDigits = (parameter: string, where: string) =>
  new DomainError(parameter, `${where}, where the derivatives lose digits`, { isSentence: true })

const NAMES: Record<string, string> = {
  delta: 'Delta',
  gamma: 'Gamma',
  bySigma: 'The derivative by {sigma}',
  byTheta: 'The derivative by {theta}',
  byNu: 'The derivative by {nu}',
  decay: 'Theta',
  rho: 'Rho',
}

/** The Greeks of the type that was asked for, in the money by parity. */
function greeksOfType(
  input: VarianceGammaOption,
  { isCall, most, unit }: OutOfTheMoney,
  otm: OutOfTheMoneyGreeks,
): Omit<VarianceGammaGreeks, 'price'> {
  const { spot, strike, rate, sigma, theta, nu, maturity, dividendYield, type } = input
  let { delta, hedge, rho } = otm
  if ((type === 'call') !== isCall) {
    // Call less put: the discounted spot less the discounted strike.
    const strikeNow = isCall ? discounted(strike, rate, maturity) : unit
    const sign = type === 'call' ? 1 : -1
    // A call is never worth more than the discounted spot; a sum of rare cases may be rounded above it.
    delta = Math.min(otm.inTheMoney?.delta ?? delta + (sign * most) / spot, most / spot)
    hedge = otm.inTheMoney?.hedge ?? hedge + sign * most
    rho = otm.inTheMoney?.rho ?? rho + sign * maturity * strikeNow
  }
  const model = theta * otm.byTheta + 0.5 * sigma * otm.bySigma - nu * otm.byNu
  const decay = dividendYield * hedge - (rate * rho) / maturity - model / maturity + 0
  return {
    delta: delta + 0,
    gamma: otm.gamma,
    bySigma: otm.bySigma,
    rho: rho + 0,
    byTheta: otm.byTheta + 0,
    byNu: otm.byNu + 0,
    decay,
  }
}

function priceOf(
  { strike, rate, maturity, type }: VarianceGammaOption,
  { isCall, x, most, unit, value }: OutOfTheMoney,
): number {
  if ((type === 'call') === isCall) return value
  const strikeNow = isCall ? discounted(strike, rate, maturity) : unit
  return Math.min(type === 'call' ? most : strikeNow, value + forwardValue(x, most, strikeNow))
}
