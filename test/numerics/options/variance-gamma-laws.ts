/** Laws that hold for every Variance Gamma price: bounds, and monotonicity and convexity in the strike, to rounding. */
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { discounted } from '../../../src/numerics/options/forward.ts'
import { gammaDensityPeak } from '../../../src/numerics/options/gamma-density.ts'
import { gammaMixture, ordinaryTerm } from '../../../src/numerics/options/gamma-mixture.ts'
import { kinkedMixture } from '../../../src/numerics/options/kinked-mixture.ts'
import { logMoneyness } from '../../../src/numerics/options/log-moneyness.ts'
import {
  isSharp,
  type VarianceGammaInput,
  varianceGammaCall,
} from '../../../src/numerics/options/variance-gamma.ts'
import { conditionalPut, martingaleGap } from '../../../src/numerics/options/variance-gamma-put.ts'

const NAMES = ['spot', 'strike', 'rate', 'sigma', 'theta', 'nu', 'maturity', 'dividendYield'] as const
const ROUNDING = 2 ** -53
/** The tolerance of a comparison of two prices, each of which may be wrong by 1e-12. */
const TOLERANCE = 2e-12
/** The price sums beside the kink from 160 nodes on. */
const [FEW_NODES, MANY_NODES] = [110, 230]

/** The price; undefined where it is refused. */
export function priceOf(input: VarianceGammaInput): number | undefined {
  try {
    return varianceGammaCall(input)
  } catch (error) {
    if (error instanceof DomainError) return undefined
    throw error
  }
}

/** The law that three strikes in the ratio 1 : 1 + step : 1 + 2·step break; undefined where they keep all or are refused. */
export function brokenLaw(input: VarianceGammaInput, step: number): string | undefined {
  const { spot, strike, rate, maturity, dividendYield } = input
  const strikes = [strike, strike * (1 + step), strike * (1 + 2 * step)]
  if (!Number.isFinite(strikes[2])) return undefined
  const prices = strikes.map((one) => priceOf({ ...input, strike: one }))
  const [low, middle, high] = prices
  if (low === undefined || middle === undefined || high === undefined) return undefined
  // Prices below the normal range have fewer digits.
  if (high < 2 ** -1000) return undefined
  const most = discounted(spot, dividendYield, maturity)
  const least = Math.max(0, most - discounted(strike, rate, maturity))
  if (low > most) return `the price ${low} is above the discounted spot ${most}`
  if (low < least * (1 - 1e-14) - 1e-15 * most)
    return `the price ${low} is below the forward's value ${least}`
  const share = (strikes[1] - strikes[0]) / (strikes[2] - strikes[0])
  const chord = low + (high - low) * share
  const excess = Math.max(middle / low - 1, high / middle - 1, middle / chord - 1)
  if (!(excess > TOLERANCE)) return undefined
  const allowed = Math.max(TOLERANCE, 200 * ROUNDING * condition({ ...input, strike: strikes[1] }, middle))
  if (!(excess > allowed)) return undefined
  const law = middle / low - 1 === excess || high / middle - 1 === excess ? 'falling' : 'convex'
  return `${prices.join(', ')} are not ${law} in the strike: by ${excess.toExponential(1)}, allowed ${allowed.toExponential(1)}`
}

/** Σ|xᵢ ∂P/∂xᵢ|/P by differences: how much one rounding of each input may change the price. */
export function condition(input: VarianceGammaInput, price: number): number {
  const margin = 1 - input.nu * (input.theta + 0.5 * input.sigma ** 2)
  const bump = 1e-7 * Math.min(1, margin)
  let sum = 0
  for (const name of NAMES) {
    const value = input[name]
    if (value === 0) continue
    const moved = [value * (1 + bump), value * (1 - bump)].map((one) => priceOf({ ...input, [name]: one }))
    const worst = Math.max(...moved.map((one) => (one === undefined ? 0 : Math.abs(one / price - 1))))
    sum += worst / bump
  }
  return sum
}

/**
 * The relative difference of the smooth sum and the one for a kink, where the price changes from one to the other; or
 * undefined.
 */
export function seamAt(input: VarianceGammaInput): number | undefined {
  if (priceOf(input) === undefined) return undefined
  const { sigma, theta, nu, maturity } = input
  const deviation = sigma * Math.sqrt(maturity)
  const x = logMoneyness(input, deviation)
  const gap = martingaleGap(theta, sigma, nu)
  const margin = 1 - gap.high - gap.low
  const put = conditionalPut({ isCall: x.high <= 0, x, gap, margin, deviation, shape: maturity / nu })
  const start = Number.isNaN(put.kink) || !isSharp(put) ? undefined : ordinaryTerm(put)
  if (start === undefined || gammaMixture(put, start, FEW_NODES) >= 0) return undefined
  const smooth = gammaMixture(put, start, MANY_NODES)
  if (smooth < 0) return undefined
  // A price of less than 1e-12 of the larger of spot and strike may be ill-conditioned.
  const kinked = kinkedMixture(put)
  return kinked * gammaDensityPeak(put.shape) > 1e-12 ? Math.abs(smooth / kinked - 1) : undefined
}
