/** Variance Gamma prices and their implied volatilities in the browser. */
import { blackScholes } from '../../../numerics/options/black-scholes.ts'
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import { varianceGammaCall } from '../../../numerics/options/variance-gamma.ts'

const callOf = ({ S, K, T, r, q }) => ({ spot: S, strike: K, rate: r, maturity: T, dividendYield: q })

export const varianceGamma = (values) => ({
  vg_call_price: varianceGammaCall({
    ...callOf(values),
    sigma: values.sigma,
    theta: values.theta_vg,
    nu: values.nu,
  }),
})

/** The Black–Scholes call whose log price has the same variance per year, σ² + θ²ν. */
export const equalVariance = ({ sigma, theta_vg, nu }) => Math.sqrt(sigma ** 2 + theta_vg ** 2 * nu)

export const blackScholesCall = (values, volatility) =>
  blackScholes({ ...callOf(values), volatility, type: 'call' })

/** null where the price has no implied volatility, or only one of rounding errors. */
export function impliedFrom(values, price) {
  try {
    return impliedVolatility({ ...callOf(values), price, type: 'call' })
  } catch {
    return null
  }
}
