/** A put in units of its strike, and of the time in which the variance of the log price is 1. */

/** A put with the strike 1, in units of time in which the variance of the log price is 1. */
export interface ScaledPut {
  readonly rate: number
  readonly dividendYield: number
  /** More nodes, where the boundary itself is wanted; the error of a price averages over the boundary, and is smaller. */
  readonly isFine?: boolean
}

/** The number of changes of a boundary: by the rate, the yield and the logarithm of the volatility, in this order. */
export const CHANGES = 3

/** A boundary of a put up to a horizon. */
export interface BoundaryProblem extends ScaledPut {
  /** The latest time to maturity. */
  readonly horizon: number
  /** The boundary as the time to maturity goes to 0. */
  readonly limit: number
  /** 1: the put is exercised below the boundary; −1: above it. */
  readonly side: 1 | -1
}

/** A value with its first two derivatives by the spot, and if asked those by the rates. */
export interface Slopes {
  readonly value: number
  readonly delta: number
  readonly gamma: number
  readonly rates?: RateSlopes
}

/** Derivatives of a value by the rate and the yield, in units of the variance, and by ln σ at a constant time in years. */
export interface RateSlopes {
  readonly rate: number
  readonly dividendYield: number
  readonly volatility: number
}
