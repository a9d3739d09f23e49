/** Variance Gamma prices and their implied volatilities in the browser. */
import { blackScholes } from '../../../numerics/options/black-scholes.ts'
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import { varianceGammaCall } from '../../../numerics/options/variance-gamma.ts'

const inputOf = ({ S, K, T, r, sigma, theta_vg, nu, q }) => ({
  spot: S,
  strike: K,
  rate: r,
  sigma,
  theta: theta_vg,
  nu,
  maturity: T,
  dividendYield: q,
})

export const varianceGamma = (values) => ({ vg_call_price: varianceGammaCall(inputOf(values)) })

/** The Black–Scholes call whose log price has the same variance per year, σ² + θ²ν. */
export const equalVariance = ({ sigma, theta_vg, nu }) => Math.sqrt(sigma ** 2 + theta_vg ** 2 * nu)

export const blackScholesCall = ({ S, K, T, r, q }, volatility) =>
  blackScholes({ spot: S, strike: K, rate: r, volatility, maturity: T, dividendYield: q, type: 'call' })

/** null where the price has no implied volatility, or only one of rounding errors. */
export function impliedFrom({ S, K, T, r, q }, price) {
  try {
    return impliedVolatility({
      price,
      spot: S,
      strike: K,
      rate: r,
      maturity: T,
      dividendYield: q,
      type: 'call',
    })
  } catch {
    return null
  }
}
