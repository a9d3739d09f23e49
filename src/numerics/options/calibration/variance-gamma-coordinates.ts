/** The coordinates in which a calibration searches the parameters of Variance Gamma. */
import type { Parameters } from './variance-gamma-smile.ts'

/** Sets residuals' derivatives by coordinates from those by σ, θ and ν. */
export interface Coordinates {
  parametersAt(at: Float64Array): Parameters
  /** Rows: the derivatives of σ, θ and ν by a coordinate. */
  slopesAt(at: Float64Array): readonly (readonly [number, number, number])[]
}

/**
 * The coordinates of the searches: ln of the volatility v = √(σ² + θ²ν), the angle φ with σ = v·cos φ and θ√ν = v·sin φ, and ln ν.
 * Where quotes hardly tell skew from volatility, v is still determined; at σ = 0 the angle is a right one.
 */
export const polar: Coordinates = {
  parametersAt(at) {
    const v = Math.exp(at[0])
    const nu = Math.exp(at[2])
    return { sigma: Math.abs(v * Math.cos(at[1])), theta: (v * Math.sin(at[1])) / Math.sqrt(nu), nu }
  },
  slopesAt(at) {
    const { sigma, theta, nu } = polar.parametersAt(at)
    const root = Math.sqrt(nu)
    const side = Math.cos(at[1]) < 0 ? -1 : 1
    return [
      [sigma, theta, 0],
      [-side * theta * root, (side * sigma) / root, 0],
      [0, -theta / 2, nu],
    ]
  },
}

export const polarOf = ({ sigma, theta, nu }: Parameters): Float64Array => {
  const skew = theta * Math.sqrt(nu)
  return Float64Array.of(Math.log(Math.hypot(sigma, skew)), Math.atan2(skew, sigma), Math.log(nu))
}

/** Beyond margins of this size, or its inverse, prices are refused. */
const MOST_LOG_MARGIN = Math.log(1e12) - 1e-9

/**
 * The coordinates of valleys in which ν or |θ| grows without bound: ln σ, ln m and ln ν with the margin m = 1 − θν − σ²ν/2, whose
 * logarithm over ν is the drift. A margin beyond its bounds, from which on prices are refused, is the bound.
 */
export const valley: Coordinates = {
  parametersAt(at) {
    const sigma = Math.exp(at[0])
    const nu = Math.exp(at[2])
    const margin = Math.exp(Math.min(Math.max(at[1], -MOST_LOG_MARGIN), MOST_LOG_MARGIN))
    return { sigma, theta: (1 - margin) / nu - 0.5 * sigma * sigma, nu }
  },
  slopesAt(at) {
    const { sigma, theta, nu } = valley.parametersAt(at)
    const variance = sigma * sigma
    const margin = Math.abs(at[1]) < MOST_LOG_MARGIN ? Math.exp(at[1]) : 0
    return [
      [sigma, -variance, 0],
      [0, -margin / nu, 0],
      [0, -theta - 0.5 * variance, nu],
    ]
  },
}

export const marginOf = ({ sigma, theta, nu }: Parameters) => 1 - theta * nu - 0.5 * sigma * sigma * nu

/** The coordinates of condition and standard errors: ln σ, θ in units of a volatility, ln ν. */
export const logarithmic = (volatility: number): Coordinates => ({
  parametersAt: (at) => ({ sigma: Math.exp(at[0]), theta: at[1] * volatility, nu: Math.exp(at[2]) }),
  slopesAt: (at) => [
    [Math.exp(at[0]), 0, 0],
    [0, volatility, 0],
    [0, 0, Math.exp(at[2])],
  ],
})
