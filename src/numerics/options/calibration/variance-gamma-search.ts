/** The least sum of squares of a calibration: minima from many starts at prices to six digits, the best of them to all digits. */
import { budgetLeft, spend, withinBudget } from '../../budget.ts'
import { DomainError } from '../../domain-error.ts'
import { leastSquares, type Minimum, newtonMinimum, type Problem } from '../../statistics/least-squares.ts'
import { isUseful, type Target, type Targets } from './calibration-quotes.ts'
import {
  type Coordinates,
  logarithmic,
  marginOf,
  polar,
  polarOf,
  valley,
} from './variance-gamma-coordinates.ts'
import {
  COARSE,
  FINE,
  FINEST,
  type Parameters,
  type Precision,
  type Smile,
  type SmileValues,
  varianceGammaSmile,
} from './variance-gamma-smile.ts'

/** Residuals below these shares of the spot are rounding errors. */
const [ROUNDING, COARSE_ROUNDING] = [1e-11, 1e-6]
const COARSE_SEARCH = { mostSteps: 60, lastStep: 1e-3, lastGain: 1e-5 }
/** The numbers of steps at all digits, in the order of `refined`. */
const [FIRST_STEPS, NEWTON_STEPS, FURTHER_STEPS] = [20, 10, 150]
/** Points at which a step of Gauss and Newton is below this are minima. */
const SETTLED = 1e-8
/** The time of a step of a search without the prices. */
const STEP_MICROS = 12
/** σ as a share of the volatility, below which it tends to 0. */
const LEAST_SIGMA = 1e-3
/** σ as a share of the volatility, below which the last searches also begin at larger ones. */
const EDGE = 0.05
/** Minima of coarse prices whose sum exceeds the least by this share are not followed to all digits, nor more than `MOST_FOLLOWED`. */
const CLOSE = 1e-3
const MOST_FOLLOWED = 8
/** Of more maturities, coarse prices use so many; a minimum of them may be that of all where its sum is not above this multiple. */
const MOST_MATURITIES = 24
const SAMPLED_CLOSE = 0.5
/** Within these distances a search comes to a minimum that is known already; NEXT: across a strike. */
const [NEAR, NEXT, SAME] = [0.02, 2e-3, 1e-4]
/** Valleys end where σ²ν/2 exceeds the margin by this factor. */
const MOST_VARIANCE = 1e4
/** The factors of σ at the starts in a valley. */
const VALLEY_SIGMAS = [1, 4, 1 / 4]
/** The grid of starts: the sine of the angle φ, and ν in units of the mean maturity. */
const SKEWS = [-0.85, -0.5, 0, 0.5, 0.85]
const VARIANCES = [0.02, 0.1, 0.4, 1.5, 6]
/** The density is infinite where the shape is at most 1/2; from this shape on its rise is too slight for a second minimum. */
const SMOOTH_SHAPE = 1
const MOST_CROSSINGS = 6
/** Starts across strikes also begin at coarse minima whose sum exceeds the least by this share. */
const NEARLY = 0.1

export interface CalibrationProblem extends Problem {
  /** Prices of the point that was evaluated last. */
  readonly values: SmileValues
}

/** Residuals are in units of the spot, times the root of the weight. `values` belong to the point that was evaluated last. */
function problemOf(
  spot: number,
  { targets, smiles }: Targets,
  { parametersAt, slopesAt }: Coordinates,
  precision: Precision,
): CalibrationProblem {
  const list = () => new Float64Array(targets.length)
  const values: SmileValues = {
    value: list(),
    bySigma: list(),
    byTheta: list(),
    byNu: list(),
  }
  const heaviest = Math.max(...targets.map(({ weight }) => weight))
  const factors = Float64Array.from(
    targets,
    ({ weight, unit }) => Math.sqrt(weight / heaviest) * (unit / spot),
  )
  const prices = Float64Array.from(targets, ({ price, unit }) => price / unit)
  const evaluate: Problem['evaluate'] = (at, residuals, columns) => {
    spend(STEP_MICROS)
    const parameters = parametersAt(at)
    for (const smile of smiles) if (!varianceGammaSmile(parameters, smile, values, precision)) return false
    for (let i = 0; i < factors.length; i++) residuals[i] = factors[i] * (values.value[i] - prices[i])
    for (const [j, [sigma, theta, nu]] of slopesAt(at).entries())
      for (let i = 0; i < factors.length; i++)
        columns[j][i] =
          factors[i] * (sigma * values.bySigma[i] + theta * values.byTheta[i] + nu * values.byNu[i])
    return true
  }
  return { parameters: 3, residuals: targets.length, evaluate, values }
}

export interface LeastFit {
  readonly parameters: Parameters
  /** In the coordinates ln σ, θ in units of `Targets.volatility`, ln ν. */
  readonly minimum: Minimum
  /** Prices in units of the discounted strike, in the order of the targets. */
  readonly values: Float64Array
  /** Of all searches. */
  readonly steps: number
}

/**
 * The least minimum that is found from 25 starts, and from starts across the quoted strikes that the density's singularity can
 * pass. Each start is followed at coarse prices, until it comes to a minimum that is known; the least of these minima are
 * followed to all digits. The rest are left out once a fit reproduces the quotes, or once half of its budget is spent, so that the
 * fit of some quotes is the same whatever else a request asks. Throws DomainError where no start gives finite prices.
 */
export function leastFit(spot: number, given: Targets): LeastFit {
  const estimate = calibrationMicros(given.targets.length, given.smiles.length)
  const { fit, micros } = withinBudget(estimate, () => {
    const before = budgetLeft()
    const fit = leastOfAll(searchOf(spot, given))
    return { fit, micros: before - budgetLeft() }
  })
  spend(micros)
  return fit
}

function leastOfAll(search: Search): LeastFit {
  const { given, spot } = search
  const minima = coarseMinima(search)
  if (!isExact(search)) followAll(search, [...minima, ...acrossAll(search, minima)])
  for (let round = 0; round < MOST_CROSSINGS && cross(search); round++);
  const stops = (at: Float64Array) => isOver(search) || Math.abs(Math.cos(at[1])) < LEAST_SIGMA
  const finest = problemOf(spot, given, polar, FINEST)
  const from = search.best?.at
  const starts = from === undefined ? [] : [from, ...(isSpent(search) ? [] : besideEdge(from))]
  // Prices to six digits may be finite where those to all digits are not.
  const settled = starts.flatMap((start) => refined(search, finest, start, { stops }) ?? [])
  if (settled.length === 0)
    throw new DomainError(
      'quotes',
      'The quotes are too extreme: at no parameters of the search the prices are finite in double precision',
      { isSentence: true },
    )
  const least = settled.reduce((one, other) => (other.sumOfSquares < one.sumOfSquares ? other : one))
  const { parameters, nextChange, isSettled, steps } = alongValley(search, least)
  const { volatility } = given
  const last = problemOf(spot, given, logarithmic(volatility), FINEST)
  const at = Float64Array.of(
    Math.log(parameters.sigma),
    parameters.theta / volatility,
    Math.log(parameters.nu),
  )
  const minimum = { ...leastSquares(last, at, { mostSteps: 0 })!, nextChange, isSettled }
  return { parameters, minimum, values: last.values.value, steps: search.steps + steps }
}

/**
 * The point itself if it is a smooth minimum, else the least of where further steps in the coordinates of valleys lead from it. A
 * valley has kinks, at which searches end, so that some also begin at other σ.
 */
function alongValley(
  search: Search,
  point: Minimum,
): Omit<Minimum, 'at'> & { readonly parameters: Parameters } {
  let best = { ...point, parameters: polar.parametersAt(point.at) }
  if (point.nextChange < SETTLED) return best
  const stops = (at: Float64Array) => {
    const { sigma, theta, nu } = valley.parametersAt(at)
    return isOver(search) || sigma * sigma * nu > 2 * MOST_VARIANCE * marginOf({ sigma, theta, nu })
  }
  const problem = problemOf(search.spot, search.given, valley, FINEST)
  let steps = best.steps
  for (const factor of VALLEY_SIGMAS) {
    if (factor === 1 && point.isSettled) continue
    const { sigma, nu } = best.parameters
    const start = Float64Array.of(Math.log(factor * sigma), Math.log(marginOf(best.parameters)), Math.log(nu))
    const found = leastSquares(problem, start, { mostSteps: FURTHER_STEPS, lastGain: 1e-12, stops })
    steps += found?.steps ?? 0
    if (found !== undefined && found.sumOfSquares < best.sumOfSquares)
      best = { ...found, parameters: valley.parametersAt(found.at) }
  }
  return { ...best, steps }
}

/** An estimate of the time of a fit in microseconds: most searches at coarse prices of some maturities, few at all digits. */
export function calibrationMicros(quotes: number, maturities: number): number {
  const coarse = Math.min(1, MOST_MATURITIES / maturities)
  return 14_400 + coarse * (960 * quotes + 9_600 * maturities) + 360 * quotes + 1_800 * maturities
}

interface Search {
  readonly spot: number
  readonly given: Targets
  readonly coarse: Problem
  readonly fine: Problem
  /** Whether coarse prices are of all maturities. */
  readonly isWhole: boolean
  /** The budget at the beginning. */
  readonly budget: number
  /** Minima at all digits. */
  readonly followed: Float64Array[]
  best: Minimum | undefined
  steps: number
}

function searchOf(spot: number, given: Targets): Search {
  const isWhole = given.smiles.length <= MOST_MATURITIES
  return {
    spot,
    given,
    coarse: problemOf(spot, isWhole ? given : sampled(given), polar, COARSE),
    fine: problemOf(spot, given, polar, FINE),
    isWhole,
    budget: budgetLeft(),
    followed: [],
    best: undefined,
    steps: 0,
  }
}

/** The targets of some maturities, at even ranks of those that have a quote with a weight and a time value. */
function sampled({ targets, smiles, volatility }: Targets): Targets {
  const ofSmile = ({ first, moneyness }: Smile) => targets.slice(first, first + moneyness.length)
  const ordered = smiles
    .filter((smile) => ofSmile(smile).some(isUseful))
    .sort((a, b) => a.maturity - b.maturity)
  const count = Math.min(MOST_MATURITIES, ordered.length)
  const chosen: Smile[] = []
  const own: Target[] = []
  for (let k = 0; k < count; k++) {
    const smile = ordered[Math.floor(((k + 0.5) * ordered.length) / count)]
    chosen.push({ ...smile, first: own.length })
    own.push(...ofSmile(smile))
  }
  return { targets: own, smiles: chosen, volatility }
}

const isBelow = ({ sumOfSquares, residuals }: Minimum, rounding: number) =>
  sumOfSquares < rounding ** 2 * residuals.length

/**
 * Further starts are left out where less than this share of the budget is left, steps of Newton, which take up to 13 evaluations, where
 * `NEWTON_SHARE` is, and all searches end where `LAST_SHARE` is.
 */
const [RESERVE, NEWTON_SHARE, LAST_SHARE] = [7 / 12, 0.5, 0.25]
const isSpent = ({ budget }: Search) => budgetLeft() < RESERVE * budget
const isOver = ({ budget }: Search) => budgetLeft() < LAST_SHARE * budget

const isExact = ({ best }: Search) => best !== undefined && isBelow(best, ROUNDING)

function followCoarse(
  search: Search,
  start: Float64Array,
  known: readonly Float64Array[],
): Minimum | undefined {
  const stops = (at: Float64Array) => isOver(search) || isNear(at, known, NEAR)
  const found = leastSquares(search.coarse, start, { ...COARSE_SEARCH, stops })
  search.steps += found?.steps ?? 0
  return found
}

/** The minimum from a start: steps of Gauss and Newton, then of Newton, then, where the sum is not smooth, of the first kind again. */
function refined(
  { budget }: Search,
  problem: Problem,
  start: Float64Array,
  options: { readonly lastGain?: number; readonly stops: (at: Float64Array) => boolean },
): Minimum | undefined {
  const near = leastSquares(problem, start, { ...options, mostSteps: FIRST_STEPS })
  if (near === undefined || near.isSettled || near.nextChange < SETTLED) return near
  const stops = (at: Float64Array) => options.stops(at) || budgetLeft() < NEWTON_SHARE * budget
  const found = newtonMinimum(problem, near, { ...options, stops, mostSteps: NEWTON_STEPS })
  if (found.isSettled || options.stops(found.at)) return found
  const last = leastSquares(problem, found.at, { ...options, mostSteps: FURTHER_STEPS })!
  return { ...last, steps: found.steps + last.steps }
}

function follow(search: Search, start: Float64Array): void {
  const stops = (at: Float64Array) => isOver(search) || isNear(at, search.followed, SAME)
  const found = refined(search, search.fine, start, { lastGain: 1e-15, stops })
  if (found === undefined) return
  search.steps += found.steps
  search.followed.push(found.at)
  if (search.best === undefined || found.sumOfSquares < search.best.sumOfSquares) search.best = found
}

/** Minima of coarse prices. One that reproduces the quotes is followed at once. */
function coarseMinima(search: Search): Minimum[] {
  const known: Float64Array[] = []
  const minima: Minimum[] = []
  for (const start of rankedStarts(search.coarse, search.given)) {
    const found = followCoarse(search, start, known)
    if (found === undefined || isNear(found.at, known, NEAR)) continue
    known.push(found.at)
    if (!isBelow(found, COARSE_ROUNDING)) minima.push(found)
    else follow(search, found.at)
    if (isExact(search)) return []
  }
  return minima
}

/** Coarse minima from beyond the quoted strikes next to the singularity of the least ones. */
function acrossAll(search: Search, minima: readonly Minimum[]): Minimum[] {
  if (!search.isWhole || isSpent(search)) return []
  const least = Math.min(...minima.map(({ sumOfSquares }) => sumOfSquares))
  return minima
    .filter(({ sumOfSquares }) => sumOfSquares <= (1 + NEARLY) * least)
    .flatMap(({ at }) => startsAcross(polar.parametersAt(at), search.given))
    .flatMap((start) => followCoarse(search, polarOf(start), []) ?? [])
}

function followAll(search: Search, found: readonly Minimum[]): void {
  if (found.length === 0) return
  const minima = found.toSorted((one, other) => one.sumOfSquares - other.sumOfSquares)
  const least = search.isWhole ? (search.best ?? minima[0]) : minima[0]
  const most = least.sumOfSquares * (1 + (search.isWhole ? CLOSE : SAMPLED_CLOSE))
  for (const { at } of minima.filter((one) => one.sumOfSquares <= most).slice(0, MOST_FOLLOWED))
    if (search.best === undefined || !isSpent(search)) follow(search, at)
}

/** Searches from beyond the quoted strikes next to the singularity of the best minimum; returns whether there is a better one. */
function cross(search: Search): boolean {
  const before = search.best
  if (before === undefined || isExact(search) || isSpent(search) || !search.isWhole) return false
  for (const start of startsAcross(polar.parametersAt(before.at), search.given)) {
    const found = followCoarse(search, polarOf(start), [])
    const isOther = found !== undefined && !isNear(found.at, [before.at], NEXT)
    if (isOther && found.sumOfSquares <= before.sumOfSquares * (1 + CLOSE)) follow(search, found.at)
  }
  return search.best!.sumOfSquares < before.sumOfSquares
}

/** Points with a larger σ than one whose σ is nearly 0: minima lie beside those at 0, so close that only the finest prices tell. */
function besideEdge(at: Float64Array): Float64Array[] {
  if (Math.abs(Math.cos(at[1])) > EDGE) return []
  const side = Math.sign(Math.sin(at[1]))
  return [2 * EDGE, EDGE / 2].map((share) => at.with(1, side * Math.acos(share)))
}

/** Parameters at which the density's singularity lies beyond the next quoted strikes on either side. */
function startsAcross({ sigma, theta, nu }: Parameters, { smiles }: Targets): Parameters[] {
  const slope = Math.log(1 - theta * nu - 0.5 * sigma * sigma * nu) / nu
  const places = smiles
    .filter(({ maturity }) => maturity < SMOOTH_SHAPE * nu)
    .flatMap(({ maturity, moneyness }) => Array.from(moneyness, (x) => -x / maturity))
    .sort((a, b) => a - b)
  const right = places.findIndex((place) => place > slope)
  const next = right === -1 ? places.length : right
  const between = (k: number) => {
    if (k < 0 || k > places.length || places.length < 2) return []
    if (k === 0) return [places[0] - (places[1] - places[0]) / 2]
    if (k === places.length) return [places[k - 1] + (places[k - 1] - places[k - 2]) / 2]
    return [(places[k - 1] + places[k]) / 2]
  }
  return [next - 1, next + 1]
    .flatMap(between)
    .map((omega) => ({ sigma, nu, theta: -Math.expm1(omega * nu) / nu - 0.5 * sigma * sigma }))
}

const isNear = (at: Float64Array, points: readonly Float64Array[], distance: number) =>
  points.some((point) => point.every((value, j) => Math.abs(value - at[j]) < distance))

/** The starts within the model, the best first. */
function rankedStarts(problem: Problem, { smiles, volatility }: Targets): Float64Array[] {
  const logs = smiles.map(({ maturity }) => Math.log(maturity))
  const usual = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length)
  const residuals = new Float64Array(problem.residuals)
  const derivatives = [0, 1, 2].map(() => new Float64Array(problem.residuals))
  const starts: { readonly at: Float64Array; readonly sum: number }[] = []
  for (const skew of SKEWS)
    for (const variance of VARIANCES) {
      const at = Float64Array.of(Math.log(volatility), Math.asin(skew), Math.log(variance * usual))
      if (!problem.evaluate(at, residuals, derivatives)) continue
      const sum = residuals.reduce((total, residual) => total + residual * residual, 0)
      if (Number.isFinite(sum)) starts.push({ at, sum })
    }
  return starts.sort((one, other) => one.sum - other.sum).map(({ at }) => at)
}
