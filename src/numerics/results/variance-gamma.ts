/** Variance Gamma prices, Greeks and calibrations, by the names of requests and replies. */
import { varianceGammaCalibration } from '../options/calibration/variance-gamma-calibration.ts'
import { type VarianceGammaInput, varianceGammaCall } from '../options/variance-gamma.ts'
import { varianceGammaGreeks } from '../options/variance-gamma-greeks.ts'
import type { OptionType } from './black-scholes.ts'

export interface Call {
  readonly S: number
  readonly K: number
  readonly T: number
  readonly r: number
  readonly sigma: number
  readonly theta_vg: number
  readonly nu: number
  readonly q: number
}

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

export function calibration({ S: spot, r: rate, q: dividendYield, quotes }: Quotes) {
  const fit = varianceGammaCalibration(
    { spot, rate, dividendYield },
    quotes.map(({ K: strike, T: maturity, implied_volatility, option_type = 'call', weight = 1, price }) => ({
      strike,
      maturity,
      type: option_type,
      weight,
      ...(price !== undefined && { price }),
      ...(implied_volatility !== undefined && { impliedVolatility: implied_volatility }),
    })),
  )
  const { standardErrors: errors } = fit
  return {
    sigma: fit.sigma,
    theta_vg: fit.theta,
    nu: fit.nu,
    rmse: fit.rmse,
    identifiable: fit.isIdentifiable,
    ...(errors && {
      standard_errors: { sigma: errors.sigma, theta_vg: errors.theta, nu: errors.nu },
    }),
    condition_number: fit.conditionNumber,
    residuals: Array.from(fit.residuals),
    iterations: fit.iterations,
  }
}

/** The fields of a request by the names of the mathematics. */
export const optionOf = (call: Call): VarianceGammaInput => ({
  spot: call.S,
  strike: call.K,
  rate: call.r,
  sigma: call.sigma,
  theta: call.theta_vg,
  nu: call.nu,
  maturity: call.T,
  dividendYield: call.q,
})
