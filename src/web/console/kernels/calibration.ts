/** The quoted and fitted volatilities that the picture of a calibration shows. */
// @ts-nocheck: to be converted
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import { varianceGammaGreeks } from '../../../numerics/options/variance-gamma-greeks.ts'
import { curve, evenly } from '../pictures/sampling.ts'

const MOST_MATURITIES = 4
const PLACES = 49

/** → `{ strikes, smiles: [{ maturity, places, quoted, fitted }], residuals: { strikes, values } }`; `fitted` has all strikes. */
export function smiles(values, data) {
  const maturities = [...new Set(values.quotes.map(({ T }) => T))].sort((a, b) => a - b)
  const shown = evenlyChosen(maturities)
  const all = values.quotes.map(({ K }) => K)
  const strikes = evenly(Math.min(...all), Math.max(...all), PLACES)
  const market = { spot: values.S, rate: values.r, dividendYield: values.q }
  const { sigma, theta_vg: theta, nu } = data
  return {
    strikes,
    smiles: shown.map((maturity) => {
      const quotes = values.quotes.filter(({ T }) => T === maturity)
      const [least, most] = [Math.min(...quotes.map(({ K }) => K)), Math.max(...quotes.map(({ K }) => K))]
      const volatility = (strike) => {
        if (strike < least || strike > most) return null
        const type = strike < values.S ? 'put' : 'call'
        const { price } = varianceGammaGreeks({ ...market, strike, maturity, sigma, theta, nu, type })
        return impliedVolatility({ ...market, strike, maturity, price, type })
      }
      const quoted = curve(
        quotes,
        ({ K, price, implied_volatility: given, option_type: type = 'call' }) =>
          given ?? impliedVolatility({ ...market, strike: K, maturity, price, type }),
      )
      return { maturity, places: quotes.map(({ K }) => K), quoted, fitted: curve(strikes, volatility) }
    }),
    residuals: { strikes: all, values: data.residuals, maturities: values.quotes.map(({ T }) => T) },
  }
}

/** The first value, the last one, and some between them at even distances. */
function evenlyChosen(values) {
  const count = Math.min(values.length, MOST_MATURITIES)
  const chosen = evenly(0, values.length - 1, Math.max(2, count)).map((place) => values[Math.round(place)])
  return [...new Set(chosen)]
}
