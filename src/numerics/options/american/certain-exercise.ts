/** An American option without uncertainty: exercised when its discounted payoff is largest. */
import { sumError } from '../../arithmetic/double-double.ts'
import { logRatio } from '../../arithmetic/log-ratio.ts'
import { type BlackScholesInput, blackScholesPrice } from '../black-scholes.ts'

type CertainOption = Omit<BlackScholesInput, 'volatility'>

export interface CertainValue {
  readonly price: number
  readonly delta: number
  readonly gamma: number
  readonly theta: number
  readonly rho: number
  readonly dividendRho: number
  /** Whether the payoff at the best time is 0, where its derivatives may jump. */
  readonly isWorthless: boolean
}

/** max over t ≤ T of ±(S·exp(−qt) − K·exp(−rt)), or 0, with its derivatives. */
export function certainExercise(option: CertainOption): CertainValue {
  const { spot, strike, rate, dividendYield, maturity, type } = option
  const sign = type === 'call' ? 1 : -1
  const inner = stationary(option)
  // No payoff is computed as a difference of rounded amounts, which could cancel.
  const values: readonly (readonly [time: number, payoff: number])[] = [
    [0, sign * (spot - strike)],
    [maturity, blackScholesPrice({ ...option, volatility: 0 })],
    ...(inner > 0 && inner < maturity ? [[inner, sign * stationaryPayoff(option, inner)] as const] : []),
  ]
  const [best, price] = values.reduce((one, other) => (other[1] > one[1] ? other : one))
  if (!(price > 0))
    return { price: 0, delta: 0, gamma: 0, theta: 0, rho: 0, dividendRho: 0, isWorthless: true }
  const flow =
    sign * (strike * rate * Math.exp(-rate * best) - spot * dividendYield * Math.exp(-dividendYield * best))
  const slope = Math.exp(-dividendYield * best)
  return {
    price,
    delta: sign * slope,
    // The best time moves by 1/(carry·S) for each unit of the spot.
    gamma: best === inner ? (-sign * dividendYield * slope) / ((dividendYield - rate) * spot) : 0,
    theta: best === maturity && maturity > 0 ? -flow : 0,
    // The change of the best time does not count in first order.
    rho: sign * strike * best * Math.exp(-rate * best) + 0,
    dividendRho: 0 - sign * spot * best * slope,
    isWorthless: false,
  }
}

/** The time at which the derivative of the payoff by time is 0: exp((q − r)t) = q·S/(r·K). NaN: there is none. */
function stationary({ spot, strike, rate, dividendYield }: CertainOption): number {
  if (!(rate * dividendYield > 0)) return Number.NaN
  const [rates, amounts] = [logRatio(Math.abs(dividendYield), Math.abs(rate)), logRatio(spot, strike)]
  const sum = rates.high + amounts.high
  const low = sumError(rates.high, amounts.high, sum) + rates.low + amounts.low
  return (sum + low) / (dividendYield - rate)
}

/** S·exp(−qt) − K·exp(−rt) at that time, when one term is q/r times the other. */
function stationaryPayoff({ spot, strike, rate, dividendYield }: CertainOption, time: number): number {
  const carry = rate - dividendYield
  return Math.abs(rate) > Math.abs(dividendYield)
    ? spot * Math.exp(-dividendYield * time) * (carry / rate)
    : strike * Math.exp(-rate * time) * (carry / dividendYield)
}
