/** The parameters of Variance Gamma that fit quoted options best. */
import { conditionNumber, rowsOfInverse } from '../../statistics/least-squares.ts'
import {
  byMaturity,
  calibrationTargets,
  LEAST_USEFUL,
  type Market,
  type Quote,
  type Targets,
  usefulIn,
} from './calibration-quotes.ts'
import { leastFit } from './variance-gamma-search.ts'
import { type Parameters, PRICE_ERROR } from './variance-gamma-smile.ts'

/** The fit of some quotes. */
export interface Fit extends Parameters {
  /** √(Σ w·r²/Σw) of the prices. */
  readonly rmse: number
  readonly isIdentifiable: boolean
  /** undefined where the parameters are not identifiable, and where only three quotes have a weight. */
  readonly standardErrors: Parameters | undefined
  readonly conditionNumber: number
  readonly iterations: number
}

export interface Calibration extends Fit {
  /** Model price less quoted price, in the order of the quotes. */
  readonly residuals: Float64Array
}

/** The fit of the quotes of one maturity; undefined where fewer than three have a weight and a time value. */
export interface MaturityFit {
  readonly maturity: number
  readonly useful: number
  readonly fit: Fit | undefined
}

/** From this condition number on, the rounding of prices, about 1e-13, changes a parameter by more than 1e-6 of its value. */
const MOST_CONDITION = 1e7
/** Larger condition numbers have no meaning in double precision. */
const LARGEST_CONDITION = 1e16
/** Parameters are identifiable only if neither a further Gauss–Newton step nor the error of prices changes them by as much. */
const MOST_CHANGE = 1e-6
/** The same for a search whose damped steps have ended: where the density is infinite at a quoted strike, slopes change at once. */
const MOST_AT_KINK = 1e-2

/**
 * σ, θ and ν with the least weighted sum of squares of model less quoted price, by Levenberg–Marquardt with analytic derivatives
 * from 25 starts and from beyond the quoted strikes that the density's singularity can pass (`leastFit`). The result is
 * deterministic.
 *
 * The condition number is that of the derivatives of the prices by ln σ, θ·√ν/σ and ln ν. The parameters count as identifiable
 * where it is below 1e7, and where neither a further step nor the error of prices would change them by 1e-6: not where σ or ν
 * tends to 0, nor where the prices are so small that their rounding moves the minimum.
 *
 * Throws DomainError for fewer than three quotes with weight and time value, for a quote outside its no-arbitrage bounds, whose
 * index it names, and where no start gives finite prices.
 */
export function varianceGammaCalibration(market: Market, quotes: readonly Quote[]): Calibration {
  const given = calibrationTargets(market, quotes)
  const { residuals, ...fit } = fitOf(market, given)
  const ordered = new Float64Array(quotes.length)
  for (const [i, { place }] of given.targets.entries()) ordered[place] = residuals[i]
  return { ...fit, residuals: ordered }
}

/** A fit of each maturity by itself, the shortest first. Throws the errors of `varianceGammaCalibration`. */
export function varianceGammaByMaturity(market: Market, quotes: readonly Quote[]): MaturityFit[] {
  const fits = byMaturity(calibrationTargets(market, quotes)).map((given): MaturityFit => {
    const useful = usefulIn(given)
    const fit = useful < LEAST_USEFUL ? undefined : fitOf(market, given)
    return { maturity: given.smiles[0].maturity, useful, fit }
  })
  return fits.sort((one, other) => one.maturity - other.maturity)
}

/** The fit of the targets, and their residuals in their order. */
function fitOf({ spot }: Market, given: Targets): Calibration {
  const { parameters, minimum, values, steps } = leastFit(spot, given)
  const { sigma, nu } = parameters
  const { targets, volatility } = given
  const residuals = Float64Array.from(targets, ({ unit, price }, i) => unit * values[i] - price)
  const heaviest = Math.max(...targets.map(({ weight }) => weight))
  let squares = 0
  let weights = 0
  for (const [i, { weight }] of targets.entries()) {
    squares += (weight / heaviest) * (residuals[i] / spot) ** 2
    weights += weight / heaviest
  }
  const { isSettled, nextChange, sumOfSquares, triangle } = minimum
  const relative = [1, sigma / Math.sqrt(nu) / volatility, 1]
  const condition = conditionNumber(triangle.map((column, j) => column.map((one) => one * relative[j])))
  const lengths = rowsOfInverse(triangle)
  const byRounding = PRICE_ERROR * Math.max(...lengths)
  const isMinimum = nextChange < (isSettled ? MOST_AT_KINK : MOST_CHANGE)
  const isIdentifiable = isMinimum && byRounding < MOST_CHANGE && condition < MOST_CONDITION
  const free = targets.filter(({ weight }) => weight > 0).length - lengths.length
  const deviation = Math.sqrt(sumOfSquares / free)
  const errorOf = (j: number, unit: number) => deviation * lengths[j] * unit
  return {
    ...parameters,
    rmse: spot * Math.sqrt(squares / weights),
    isIdentifiable,
    standardErrors:
      isIdentifiable && free > 0
        ? { sigma: errorOf(0, sigma), theta: errorOf(1, volatility), nu: errorOf(2, nu) }
        : undefined,
    conditionNumber: Math.min(condition, LARGEST_CONDITION),
    residuals,
    iterations: steps,
  }
}
