/** Variance Gamma prices, Greeks and calibrations, by the names of requests and replies. */

import type { Market, Quote } from '../options/calibration/calibration-quotes.ts'
import {
  type Fit,
  type MaturityFit,
  varianceGammaByMaturity,
  varianceGammaCalibration,
} from '../options/calibration/variance-gamma-calibration.ts'
import { type VarianceGammaInput, varianceGammaCall } from '../options/variance-gamma.ts'
import { varianceGammaGreeks } from '../options/variance-gamma-greeks.ts'
import type { OptionType, RequestOf } from './black-scholes.ts'

/** The names of requests for parameters that the mathematics calls otherwise. Requests are read, and refusals told, by this table. */
export const NAMES = {
  spot: 'S',
  strike: 'K',
  maturity: 'T',
  rate: 'r',
  theta: 'theta_vg',
  dividendYield: 'q',
} as const

export type Call = RequestOf<VarianceGammaInput, typeof NAMES>

export interface Quotes {
  readonly S: number
  readonly r: number
  readonly q: number
  readonly quotes: readonly {
    readonly K: number
    readonly T: number
    readonly price?: number
    readonly implied_volatility?: number
    /** 'call' if absent. */
    readonly option_type?: OptionType
    readonly weight?: number
  }[]
  readonly per_maturity?: boolean
}

export const price = (call: Call) => ({ vg_call_price: varianceGammaCall(optionOf(call)) })

export function greeks(option: Call & { readonly option_type: OptionType }) {
  const { option_type } = option
  const { bySigma, byTheta, byNu, decay, price, delta, gamma, rho } = varianceGammaGreeks({
    ...optionOf(option),
    type: option_type,
  })
  return {
    price,
    delta,
    gamma,
    d_sigma: bySigma,
    d_theta_vg: byTheta,
    d_nu: byNu,
    theta: decay,
    rho,
    option_type,
  }
}

export function calibration({ S: spot, r: rate, q: dividendYield, quotes, per_maturity }: Quotes) {
  const market: Market = { spot, rate, dividendYield }
  const given = quotes.map(
    ({ K: strike, T: maturity, implied_volatility, option_type = 'call', weight = 1, price }): Quote => ({
      strike,
      maturity,
      type: option_type,
      weight,
      ...(price !== undefined && { price }),
      ...(implied_volatility !== undefined && { impliedVolatility: implied_volatility }),
    }),
  )
  const fit = varianceGammaCalibration(market, given)
  return {
    ...fitted(fit),
    condition_number: fit.conditionNumber,
    residuals: Array.from(fit.residuals),
    iterations: fit.iterations,
    ...(per_maturity && { maturities: varianceGammaByMaturity(market, given).map(maturityFit) }),
  }
}

const fitted = ({ sigma, theta, nu, rmse, isIdentifiable, standardErrors: errors }: Fit) => ({
  sigma,
  theta_vg: theta,
  nu,
  rmse,
  identifiable: isIdentifiable,
  ...(errors && { standard_errors: { sigma: errors.sigma, theta_vg: errors.theta, nu: errors.nu } }),
})

const maturityFit = ({ maturity, useful, fit }: MaturityFit) => ({
  T: maturity,
  quotes: useful,
  ...(fit
    ? fitted(fit)
    : {
        identifiable: false,
        warning: `The maturity has ${useful} of the at least 3 quotes with a weight and a time value that its parameters need.`,
      }),
})

/** The fields of a request by the names of the mathematics. */
export const optionOf = (call: Call): VarianceGammaInput => ({
  spot: call[NAMES.spot],
  strike: call[NAMES.strike],
  rate: call[NAMES.rate],
  sigma: call.sigma,
  theta: call[NAMES.theta],
  nu: call.nu,
  maturity: call[NAMES.maturity],
  dividendYield: call[NAMES.dividendYield],
})
