/** The quoted and fitted volatilities that the picture of a calibration shows. */
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import { varianceGammaGreeks } from '../../../numerics/options/variance-gamma-greeks.ts'
import type { Quotes } from '../../../numerics/results/variance-gamma.ts'
import { curve, evenly } from '../pictures/sampling.ts'

const MOST_MATURITIES = 4
const PLACES = 49

interface Fitted {
  readonly sigma: number
  readonly theta_vg: number
  readonly nu: number
  readonly residuals: readonly number[]
}

/** The volatilities of one maturity. */
export interface Smile {
  readonly maturity: number
  /** The strikes of the quotes. */
  readonly places: readonly number[]
  readonly quoted: readonly (number | null)[]
  /** At all strikes. */
  readonly fitted: readonly (number | null)[]
}

export function smiles(values: Quotes, data: Fitted) {
  const maturities = [...new Set(values.quotes.map(({ T }) => T))].sort((a, b) => a - b)
  const shown = evenlyChosen(maturities)
  const all = values.quotes.map(({ K }) => K)
  const strikes = evenly(Math.min(...all), Math.max(...all), PLACES)
  const market = { spot: values.S, rate: values.r, dividendYield: values.q }
  const { sigma, theta_vg: theta, nu } = data
  return {
    strikes,
    smiles: shown.map((maturity): Smile => {
      const quotes = values.quotes.filter(({ T }) => T === maturity)
      const [least, most] = [Math.min(...quotes.map(({ K }) => K)), Math.max(...quotes.map(({ K }) => K))]
      const volatility = (strike: number) => {
        if (strike < least || strike > most) return null
        const type = strike < values.S ? 'put' : 'call'
        const { price } = varianceGammaGreeks({ ...market, strike, maturity, sigma, theta, nu, type })
        return impliedVolatility({ ...market, strike, maturity, price, type })
      }
      const quoted = curve(
        quotes,
        ({ K, price, implied_volatility: given, option_type: type = 'call' }) =>
          given ?? impliedVolatility({ ...market, strike: K, maturity, price: price!, type }),
      )
      return { maturity, places: quotes.map(({ K }) => K), quoted, fitted: curve(strikes, volatility) }
    }),
    residuals: { strikes: all, values: data.residuals, maturities: values.quotes.map(({ T }) => T) },
  }
}

/** The first value, the last one, and some between them at even distances. */
function evenlyChosen(values: readonly number[]): number[] {
  const count = Math.min(values.length, MOST_MATURITIES)
  const chosen = evenly(0, values.length - 1, Math.max(2, count)).map((place) => values[Math.round(place)])
  return [...new Set(chosen)]
}
