/** Black–Scholes–Merton price of a European option, to the last digits however far out of the money. */
import { DomainError } from './domain-error.ts'
import { productError, sumError } from './double-double.ts'
import { discounted, forwardValue, known, logOfForward, takeLogForward } from './forward.ts'
import { millsDrop, millsRatio, SQRT_TWO_PI } from './mills-ratio.ts'

/** Up to this exponent its rounding stays below 1e-15 of the price. */
const PLAIN = 3

export interface BlackScholesInput {
  /** Price of the underlying, above 0. */
  readonly spot: number
  /** Above 0. */
  readonly strike: number
  /** Continuously compounded, a year. */
  readonly rate: number
  /** Standard deviation of the log price over a year, not below 0. */
  readonly volatility: number
  /** Years, not below 0. */
  readonly maturity: number
  /** Continuously compounded, a year. */
  readonly dividendYield: number
  readonly type: 'call' | 'put'
}

/**
 * Price in the currency of spot and strike: the payoff at maturity 0, the discounted payoff of the forward at
 * volatility 0. Throws DomainError outside the stated domain and where the price exceeds the largest double.
 * Black & Scholes (1973), eq. 13; dividend yield after Merton (1973), section 7.
 */
export function blackScholes(input: BlackScholesInput): number {
  const { spot, strike, rate, volatility, maturity, dividendYield, type } = input
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(volatility >= 0)) throw new DomainError('volatility', 'must not be below 0')
  if (!(maturity >= 0)) throw new DomainError('maturity', 'must not be below 0')
  const price = blackScholesPrice(type === 'call', spot, strike, rate, volatility, maturity, dividendYield)
  if (!Number.isFinite(price))
    throw new DomainError('maturity', 'over this time rates and price leave the range of 64-bit numbers')
  return price
}

/**
 * The same without an object and unchecked: not finite where the price cannot be represented. With x = ln(S/K) +
 * (r − q)T, v = σ²T, the side out of the money is `timeValue`; the other one adds |S·exp(−qT) − K·exp(−rT)|.
 * x, v and the exponent are carried as sums of two numbers: the price magnifies their rounding a hundredfold.
 */
export function blackScholesPrice(
  isCall: boolean,
  spot: number,
  strike: number,
  rate: number,
  volatility: number,
  maturity: number,
  dividendYield: number,
): number {
  if (maturity === 0) return Math.max(isCall ? spot - strike : strike - spot, 0)
  takeLogForward(spot, strike, rate, dividendYield, maturity)
  const x = logOfForward[0]
  const xTail = logOfForward[1]
  const otm = timeValue(spot, strike, rate, volatility, maturity, dividendYield)
  if (isCall ? x <= 0 : x >= 0) return otm
  return otm + forwardValue(x, xTail, spot, strike, rate, maturity, dividendYield)
}

/**
 * The option out of the money, for x as `logOfForward` has it. With y = |x|/√v, t = √v/2 and Mills' ratio R it is worth
 * √(SK)·exp(−(r + q)T/2 − x²/2v − v/8)·[R(y − t) − R(y + t)]/√(2π), free of cancellation.
 */
function timeValue(
  spot: number,
  strike: number,
  rate: number,
  volatility: number,
  maturity: number,
  dividendYield: number,
): number {
  const x = logOfForward[0]
  const s = volatility * Math.sqrt(maturity)
  if (s === 0) return 0
  const y = Math.abs(x) / s
  const t = 0.5 * s
  if (!(t <= y + 3)) return vastTimeValue(x, y, t, spot, strike, rate, maturity, dividendYield)
  const v = volatility * volatility * maturity
  const half = v > 1e-280 ? (0.5 * x * x) / v : 0.5 * y * y
  const yields = rate + dividendYield
  const decay = 0.5 * yields * maturity
  const power = -half - 0.125 * v - decay
  const tail =
    half + Math.abs(decay) < PLAIN ? 0 : powerTail(power, rate, volatility, maturity, dividendYield)
  if (power < -600)
    return y > 110 ? underflown(power) : tinyValue(spot, strike, power, millsDrop(y, t) * (1 + tail))
  const product = spot * strike
  const mean = product > 1e-290 && product < 1e290 ? Math.sqrt(product) : Math.sqrt(spot) * Math.sqrt(strike)
  return mean * Math.exp(power) * (millsDrop(y, t) / SQRT_TWO_PI) * (1 + tail)
}

/** √(spot·strike)·exp(power)·drop/√(2π), where the power alone would underflow. */
function tinyValue(spot: number, strike: number, power: number, drop: number): number {
  const root = Math.exp(0.5 * power)
  return Math.sqrt(spot) * root * (Math.sqrt(strike) * root) * (drop / SQRT_TWO_PI)
}

/** Nothing, unless discount factors beyond all bounds bring the power back into range. */
function underflown(power: number): number {
  return power < -1500 ? 0 : Number.NaN
}

/** The option out of the money where √v outweighs |x|: nearly all of the discounted spot (call) or strike (put). */
function vastTimeValue(
  x: number,
  y: number,
  t: number,
  spot: number,
  strike: number,
  rate: number,
  maturity: number,
  dividendYield: number,
): number {
  const most = x < 0 ? discounted(spot, dividendYield, maturity) : discounted(strike, rate, maturity)
  const less = Math.exp(-0.5 * (t - y) * (t - y)) * (millsRatio(t - y) + millsRatio(t + y))
  return less > 0 ? most * (1 - less / SQRT_TWO_PI) : most
}

/** −x²/2v − v/8 − (r + q)T/2 less its rounded value: the price magnifies nothing as it does this rounding. */
function powerTail(
  power: number,
  rate: number,
  volatility: number,
  maturity: number,
  dividendYield: number,
): number {
  const square = volatility * volatility
  const v = square * maturity
  const vTail = productError(square, maturity, v) + productError(volatility, volatility, square) * maturity
  const x = logOfForward[0]
  const xx = x * x
  const ratio = xx / v
  const product = ratio * v
  const xxTail = productError(x, x, xx) + 2 * x * logOfForward[1]
  const ratioTail = (xx - product - productError(ratio, v, product) + xxTail - ratio * vTail) / v
  const half = 0.5 * ratio
  const spread = 0.125 * v
  const yields = rate + dividendYield
  const decay = 0.5 * yields * maturity
  const decayTail =
    productError(0.5 * yields, maturity, decay) + 0.5 * sumError(rate, dividendYield, yields) * maturity
  const exponent = half + spread
  const exponentTail = 0.5 * ratioTail + sumError(half, spread, exponent) + 0.125 * vTail
  const sum = exponent + decay
  const sumTail = sumError(exponent, decay, sum) + exponentTail + decayTail
  return known(-power - sum - sumTail)
}
