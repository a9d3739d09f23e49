/** The laws of American prices, at one option. */
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { americanOption } from '../../../src/numerics/options/american/american-option.ts'
import type { BlackScholesInput } from '../../../src/numerics/options/black-scholes.ts'

/** Twice the stated error of a price. */
const ROUNDING = 2e-10
const WIDTH = 1.02

/** The law that the price at an option breaks, or undefined. */
export function brokenAmericanLaw(option: BlackScholesInput): string | undefined {
  const { spot, strike, rate, dividendYield, maturity, volatility, type } = option
  const isCall = type === 'call'
  const found = americanOption(option)
  const rounding = ROUNDING * found.price
  const at = (change: Partial<BlackScholesInput>) => priceOf({ ...option, ...change })
  if (found.price < Math.max(isCall ? spot - strike : strike - spot, found.europeanPrice))
    return 'below the payoff or the European price'
  if (
    found.price >
    Math.max(1, Math.exp(-(isCall ? dividendYield : rate) * maturity)) * (isCall ? spot : strike)
  )
    return 'above what it can pay'
  const { delta = 0, gamma = 0 } = found
  if (!(found.premium >= 0 && gamma >= 0 && (isCall ? delta >= 0 : delta <= 0)))
    return 'a premium, gamma or delta of the wrong sign'
  const [below, above] = [at({ spot: spot / WIDTH }), at({ spot: spot * WIDTH })]
  if ((isCall ? above - below : below - above) < -rounding) return 'not monotone in the spot'
  // The spot is the mean of the two with these weights.
  if ((WIDTH * below + above) / (1 + WIDTH) < found.price - rounding) return 'not convex in the spot'
  if (at({ maturity: maturity * WIDTH }) < found.price - rounding) return 'falls with maturity'
  if (at({ volatility: volatility * WIDTH }) < found.price - rounding) return 'falls with volatility'
  const exchanged = at({
    spot: strike,
    strike: spot,
    rate: dividendYield,
    dividendYield: rate,
    type: isCall ? 'put' : 'call',
  })
  return Math.abs(exchanged - found.price) > 1e-12 * found.price + 4e-16 * strike
    ? 'not that of the put or call with spot and strike, rate and yield exchanged'
    : undefined
}

/** NaN, which breaks no law, where it is refused. */
function priceOf(option: BlackScholesInput): number {
  try {
    return americanOption(option).price
  } catch (error) {
    if (error instanceof DomainError) return Number.NaN
    throw error
  }
}
