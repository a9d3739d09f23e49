/** The parameters of Variance Gamma that fit quoted options best. */
import { DomainError } from '../../domain-error.ts'
import {
  conditionNumber,
  leastSquares,
  type Minimum,
  type Problem,
  rowsOfInverse,
} from '../../statistics/least-squares.ts'
import { calibrationTargets, type Market, type Quote, type Targets } from './calibration-quotes.ts'
import { type Parameters, type SmileValues, varianceGammaSmile } from './variance-gamma-smile.ts'

export interface Calibration extends Parameters {
  /** √(Σ w·r²/Σw) of the prices. */
  readonly rmse: number
  readonly isIdentifiable: boolean
  /** undefined where the parameters are not identifiable, and where only three quotes have a weight. */
  readonly standardErrors: Parameters | undefined
  readonly conditionNumber: number
  /** Model price less quoted price, in the order of the quotes. */
  readonly residuals: Float64Array
  readonly iterations: number
}

/** From this condition number on, the rounding of prices, about 1e-13, changes a parameter by more than 1e-6 of its value. */
const MOST_CONDITION = 1e7
/** Larger condition numbers have no meaning in double precision. */
const LARGEST_CONDITION = 1e16
/** A fit counts as a minimum only if a further Gauss–Newton step would change the parameters by less than this. */
const MOST_CHANGE = 1e-6
/** Residuals below this share of the spot are rounding errors. */
const ROUNDING = 1e-11
const MOST_STEPS = 200
/** Number of starts from which a local minimum is searched. */
const SEARCHES = 3
/** The grid of starts: the share of the volatility that comes from θ, and ν in units of the mean maturity. */
const SKEWS = [-0.85, -0.5, 0, 0.5, 0.85]
const VARIANCES = [0.02, 0.1, 0.4, 1.5, 6]

/**
 * σ, θ and ν with the least weighted sum of squares of model less quoted price. Levenberg–Marquardt with analytic derivatives
 * runs from the best of 25 starts, and from up to two more that are no neighbours of earlier ones on the grid, until a fit
 * reproduces the quotes. The result is deterministic.
 *
 * The condition number is that of the derivatives of the prices by ln σ, θ·√ν/σ and ln ν. The parameters count as identifiable
 * where it is below 1e7 and a further step would change them by less than 1e-6: not where σ or ν tends to 0, nor where the prices
 * are so small that their rounding moves the minimum.
 *
 * Throws DomainError for fewer than three quotes with weight and time value, for a quote outside its no-arbitrage bounds, whose
 * index it names, and where no start gives finite prices.
 */
export function varianceGammaCalibration(market: Market, quotes: readonly Quote[]): Calibration {
  const given = calibrationTargets(market, quotes)
  const problem = problemOf(market, given)
  const { best, steps } = search(problem, given)
  const { targets, volatility } = given
  const fit = parametersAt(best.at, volatility)
  const residuals = new Float64Array(targets.length)
  const heaviest = heaviestOf(targets)
  let squares = 0
  let weights = 0
  for (const [i, { place, unit, price, weight }] of targets.entries()) {
    residuals[place] = unit * problem.values.value[i] - price
    squares += (weight / heaviest) * (residuals[place] / market.spot) ** 2
    weights += weight / heaviest
  }
  const relative = [1, fit.sigma / Math.sqrt(fit.nu) / volatility, 1]
  const condition = conditionNumber(best.triangle.map((column, j) => column.map((one) => one * relative[j])))
  const isIdentifiable = best.nextChange < MOST_CHANGE && condition < MOST_CONDITION
  const free = targets.filter(({ weight }) => weight > 0).length - relative.length
  const [ofSigma, ofTheta, ofNu] = rowsOfInverse(best.triangle)
  const deviation = Math.sqrt(best.sumOfSquares / free)
  return {
    ...fit,
    rmse: market.spot * Math.sqrt(squares / weights),
    isIdentifiable,
    standardErrors:
      isIdentifiable && free > 0
        ? {
            sigma: deviation * ofSigma * fit.sigma,
            theta: deviation * ofTheta * volatility,
            nu: deviation * ofNu * fit.nu,
          }
        : undefined,
    conditionNumber: Math.min(condition, LARGEST_CONDITION),
    residuals,
    iterations: steps,
  }
}

/** The coordinates of the search: ln σ, θ in units of a volatility, ln ν. */
const parametersAt = (at: Float64Array, volatility: number): Parameters => ({
  sigma: Math.exp(at[0]),
  theta: at[1] * volatility,
  nu: Math.exp(at[2]),
})

/** Residuals are in units of the spot, times the root of the weight. `values` belong to the point that was evaluated last. */
function problemOf({ spot }: Market, { targets, smiles, volatility }: Targets) {
  const list = () => new Float64Array(targets.length)
  const values: SmileValues = { value: list(), bySigma: list(), byTheta: list(), byNu: list() }
  const heaviest = heaviestOf(targets)
  const factors = Float64Array.from(
    targets,
    ({ weight, unit }) => Math.sqrt(weight / heaviest) * (unit / spot),
  )
  const prices = Float64Array.from(targets, ({ price, unit }) => price / unit)
  const evaluate: Problem['evaluate'] = (at, residuals, [bySigma, byTheta, byNu]) => {
    const parameters = parametersAt(at, volatility)
    for (const smile of smiles) if (!varianceGammaSmile(parameters, smile, values)) return false
    for (let i = 0; i < factors.length; i++) {
      residuals[i] = factors[i] * (values.value[i] - prices[i])
      bySigma[i] = factors[i] * values.bySigma[i] * parameters.sigma
      byTheta[i] = factors[i] * values.byTheta[i] * volatility
      byNu[i] = factors[i] * values.byNu[i] * parameters.nu
    }
    return true
  }
  return { parameters: 3, residuals: targets.length, evaluate, values }
}

const heaviestOf = (targets: Targets['targets']) => Math.max(...targets.map(({ weight }) => weight))

const isRounding = ({ sumOfSquares }: Minimum, { targets }: Targets): boolean =>
  sumOfSquares < ROUNDING ** 2 * targets.length

interface Start {
  readonly row: number
  readonly column: number
  readonly at: Float64Array
  readonly sum: number
}

/** The best minimum found, at which the problem was evaluated last, and the steps of all searches. */
function search(problem: ReturnType<typeof problemOf>, given: Targets): { best: Minimum; steps: number } {
  const followed: Start[] = []
  let best: Minimum | undefined
  let steps = 0
  for (const start of rankedStarts(problem, given)) {
    if (followed.length === SEARCHES) break
    const isNear = ({ row, column }: Start) =>
      Math.abs(row - start.row) <= 1 && Math.abs(column - start.column) <= 1
    if (followed.some(isNear)) continue
    followed.push(start)
    const known = best?.at
    // A search ends where it comes to the minimum that is known already.
    const stops = (at: Float64Array) =>
      known !== undefined && at.every((value, j) => Math.abs(value - known[j]) < 1e-3)
    const found = leastSquares(problem, start.at, MOST_STEPS, stops)
    steps += found?.steps ?? 0
    if (found !== undefined && !(found.sumOfSquares >= (best?.sumOfSquares ?? Infinity))) best = found
    if (best !== undefined && isRounding(best, given)) break
  }
  if (best === undefined)
    throw new DomainError(
      'quotes',
      'The quotes are too extreme: at no parameters of the search the prices are finite in double precision',
      { isSentence: true },
    )
  problem.evaluate(
    best.at,
    best.residuals,
    [0, 1, 2].map(() => new Float64Array(problem.residuals)),
  )
  return { best, steps }
}

/** The starts within the model, the best first. */
function rankedStarts(problem: Problem, { smiles, volatility }: Targets): Start[] {
  const logs = smiles.map(({ maturity }) => Math.log(maturity))
  const usual = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length)
  const residuals = new Float64Array(problem.residuals)
  const derivatives = [0, 1, 2].map(() => new Float64Array(problem.residuals))
  const starts: Start[] = []
  for (const [row, skew] of SKEWS.entries())
    for (const [column, variance] of VARIANCES.entries()) {
      const nu = variance * usual
      const sigma = volatility * Math.sqrt(1 - skew * skew)
      const at = Float64Array.of(Math.log(sigma), skew / Math.sqrt(nu), Math.log(nu))
      if (!problem.evaluate(at, residuals, derivatives)) continue
      const sum = residuals.reduce((total, residual) => total + residual * residual, 0)
      if (Number.isFinite(sum)) starts.push({ row, column, at, sum })
    }
  return starts.sort((one, other) => one.sum - other.sum)
}
