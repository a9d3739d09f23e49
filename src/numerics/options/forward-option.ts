/** European options on a forward or future: Black's and Bachelier's model. */
import { DomainError } from '../domain-error.ts'
import { type BachelierInput, bachelier, bachelierGreeks, type ForwardGreeks } from './bachelier.ts'
import { type BachelierQuote, bachelierImpliedVolatility } from './bachelier-implied-volatility.ts'
import { blackScholes } from './black-scholes.ts'
import { forwardFixedGreeks } from './black-scholes-greeks.ts'
import { impliedVolatility } from './implied-volatility.ts'

/** The forward's logarithm (Black 1976), or the forward itself (Bachelier 1900), has normal increments. */
export type ForwardModel = 'black_76' | 'bachelier'

/** The price. Black's formula (1976, eq. 16) is Merton's for a dividend yield equal to the rate. */
export const forwardOption = (model: ForwardModel, input: BachelierInput): number =>
  model === 'bachelier' ? bachelier(input) : blackScholes(carried(input))

/** Derivatives at a fixed forward. */
export const forwardGreeks = (model: ForwardModel, input: BachelierInput): ForwardGreeks =>
  model === 'bachelier' ? bachelierGreeks(input) : forwardFixedGreeks(carried(input))

/** The volatility at which `forwardOption` gives the quoted price. */
export const forwardImpliedVolatility = (model: ForwardModel, quote: BachelierQuote): number =>
  model === 'bachelier' ? bachelierImpliedVolatility(quote) : impliedVolatility(carried(quote))

function carried<Input extends { forward: number; strike: number; rate: number }>(input: Input) {
  for (const name of ['forward', 'strike'] as const)
    if (!(input[name] > 0))
      throw new DomainError(name, 'must be greater than 0 with black_76; bachelier takes any number')
  return { ...input, spot: input.forward, dividendYield: input.rate }
}
