/** The model of Black–Scholes prices, and parts that several models share. */
import { greeks, type Option, price } from '../../../numerics/results/black-scholes.ts'
import type { Values } from '../operation.ts'
import type { Line } from '../pictures/chart.tsx'

/** What the axis of a picture of a price is. */
export type PriceAxis = 'spot' | 'strike' | 'volatility' | 'maturity'

export interface PriceLine extends Omit<Line, 'y'> {
  /** Absent: the line is drawn against each axis. */
  readonly axes?: readonly PriceAxis[]
}

/**
 * What pages of prices need of an operation. Its methods take the values of the operation, by the names of its request; each model
 * has its own.
 */
export interface PriceModel {
  /** The names of the fields. */
  readonly fields: Readonly<Record<PriceAxis, string>>
  /** The names of the outputs of `numbers`, which contain the price. */
  readonly names: readonly string[]
  price(values: object): number
  numbers(values: object): Values
  readonly lines: readonly PriceLine[]
  /** The numbers of the lines at these values. */
  curve(values: object): readonly number[]
  /** The number of places of a curve. */
  readonly places: number
  /** That of the operation that computes the price. */
  readonly path: string
  /** False: volatilities are not decimals. */
  hasGrid?(values: object): boolean
}

export const payoffLine: PriceLine = {
  label: 'Payoff at maturity',
  axes: ['spot', 'strike'],
  color: 'fifth',
  width: 1,
}

export const payoff = ({
  option_type,
  spot,
  strike,
}: Pick<Option, 'option_type' | 'spot' | 'strike'>): number =>
  Math.max(0, option_type === 'put' ? strike - spot : spot - strike)

export const fields = {
  spot: 'spot',
  strike: 'strike',
  volatility: 'volatility',
  maturity: 'time_to_maturity',
}

export const blackScholes: PriceModel = {
  fields,
  names: ['price', 'delta', 'gamma', 'vega', 'theta', 'rho'],
  price: (values: Option) => price(values).price,
  numbers: (values: Option) => ({ ...price(values), ...greeks(values) }),
  lines: [{ label: 'Price', fill: true }, payoffLine],
  curve: (values: Option) => [price(values).price, payoff(values)],
  places: 97,
  path: '/quantlib/pricing/bs/price',
}
