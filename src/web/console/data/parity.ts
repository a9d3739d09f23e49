/** Spot, rate and dividend yield by put–call parity: a call less its put is S·e^(−qT) − K·e^(−rT) (Stoll 1969, J. Finance 24, 801). */
import { leastSquares } from '../../../numerics/statistics/least-squares.ts'

/** A European call and put of the same strike and expiry. */
export interface Pair {
  readonly strike: number
  readonly years: number
  /** The price of the call less that of the put. */
  readonly gap: number
  /** How far the gap may be off, by the bids and asks; null: nothing says so. */
  readonly room: number | null
  /** The spot or forward price beside the pair; null: it is sought. */
  readonly spot: number | null
  readonly forward: number | null
}

export interface Parity {
  readonly pairs: number
  readonly expiries: number
  /** null: it was given. */
  readonly spot: number | null
  readonly rate: number
  /** The standard error of the rate. */
  readonly rateError: number
  /** null: the pairs tell of none. */
  readonly dividend: number | null
  /** The median distance of the gaps from the fit. */
  readonly residual: number
}

const LEAST_PAIRS = 3
/** The most pairs of an expiry: those nearest to the money. */
const MOST_PAIRS = 40
/** The share of the pairs that must fit. */
const FITTING = 0.9
/** How far gaps may be off where no bid and ask say so, as a share of the strike: some ticks of a quote near the money. */
const ROOM = 2e-4
/** A rate that the pairs determine less well is none. */
const MOST_ERROR = 0.005
/** Larger rates and yields follow from quotes of another day than that from which expiries count. */
const MOST_RATE = 0.25
/** A dividend yield lowers the deviation of the gaps at least by this factor. */
const GAIN = 0.95

/**
 * How far the gaps may be from one fit to all expiries, in distances from the line through their own one; and beyond this, as a share
 * of how far they may be off, because prices are rounded and dates count from another hour.
 */
const [LACK_OF_FIT, SLACK] = [3, 0.2]
/** The distance of a pair that is far from the line of its expiry, in medians of all: one wrong quote must not move the others. */
const FAR = 8
/** What rounding explains, as a share of the strike. */
const ROUNDING = 1e-6

/** The rate, with the spot and the dividend yield where these are sought; null where the pairs do not fit one of each. */
export function parityOf(given: readonly Pair[]): Parity | null {
  const lines = [...Map.groupBy(given, ({ years }) => years).values()]
    .filter((pairs) => pairs.length >= LEAST_PAIRS)
    .map(lineThrough)
  const pairs = lines.flatMap((line) => line.pairs)
  const near = lines.flatMap((line) => line.near)
  const start = startOf(lines)
  if (start === null) return null
  const [{ spot, forward }] = pairs
  const isSought = spot === null && forward === null
  const bare = fitted(near, { isSought, hasDividend: false }, start)
  // One expiry tells the spot less its dividends, not the two apart.
  const mayHave = forward === null && (!isSought || lines.length > 1)
  const full = mayHave ? fitted(near, { isSought, hasDividend: true }, start) : null
  const isFull = full !== null && !(bare !== null && full.deviation >= GAIN * bare.deviation)
  const found = isFull ? full : bare
  if (found === null || !isGood(found, pairs, lines)) return null
  const { rate, dividend } = found.values
  return {
    pairs: pairs.length,
    expiries: lines.length,
    spot: isSought ? found.values.spot : null,
    rate,
    rateError: found.rateError,
    dividend: isFull ? dividend : null,
    residual: median(distances(pairs, found.values)),
  }
}

/** Whether a fit is within bids and asks, in each expiry nearly as near as the line through it, and of usual rates. */
function isGood({ values, rateError }: Fit, pairs: readonly Pair[], lines: readonly Line[]): boolean {
  const roomOf = ({ room, strike }: Pair) => room ?? ROOM * strike
  const off = distances(pairs, values)
  const fitting = pairs.filter((pair, i) => off[i] <= roomOf(pair)).length
  const isNear = (line: Line) =>
    median(distances(line.pairs, values)) <=
    LACK_OF_FIT * median(line.off) + SLACK * median(line.pairs.map(roomOf))
  return (
    fitting >= FITTING * pairs.length &&
    lines.every(isNear) &&
    rateError <= MOST_ERROR &&
    Math.abs(values.rate) <= MOST_RATE &&
    Math.abs(values.dividend) <= MOST_RATE
  )
}

interface Values {
  readonly spot: number
  readonly rate: number
  readonly dividend: number
}

/** The line through the gaps of one expiry, by the median of all slopes. */
interface Line {
  readonly pairs: readonly Pair[]
  /** Those that are not far from the line. */
  readonly near: readonly Pair[]
  readonly years: number
  readonly discount: number
  /** The present value of the underlying. */
  readonly prepaid: number
  /** The distances of the pairs. */
  readonly off: readonly number[]
}

function lineThrough(all: readonly Pair[]): Line {
  const pairs = all.toSorted((a, b) => Math.abs(a.gap) - Math.abs(b.gap)).slice(0, MOST_PAIRS)
  const [{ years, forward }] = pairs
  // A forward price beside each pair may differ from row to row.
  const at = (pair: Pair) => pair.strike - (forward === null ? 0 : (pair.forward ?? 0))
  const slopes = pairs.flatMap((a, i) =>
    pairs
      .slice(i + 1)
      .map((b) => (a.gap - b.gap) / (at(b) - at(a)))
      .filter(Number.isFinite),
  )
  const discount = median(slopes)
  const level = median(pairs.map((pair) => pair.gap + discount * at(pair)))
  const off = pairs.map((pair) => Math.abs(pair.gap + discount * at(pair) - level))
  const most = FAR * median(off) + ROUNDING * pairs[0].strike
  const near = pairs.filter((_, i) => off[i] <= most)
  return { pairs, near, years, discount, prepaid: level + (forward ?? 0) * discount, off }
}

/** Values of which the lines tell; null: a slope is no discount factor. */
function startOf(lines: readonly Line[]): Values | null {
  const isLine = ({ years, discount, prepaid }: Line) =>
    years > 0 && discount > 0.3 && discount < 1.1 && prepaid > 0
  if (lines.length === 0 || !lines.every(isLine)) return null
  const squares = lines.reduce((sum, { years }) => sum + years ** 2, 0)
  const rate = lines.reduce((sum, { years, discount }) => sum - years * Math.log(discount), 0) / squares
  return { spot: lines[0].prepaid, rate, dividend: 0 }
}

interface Fit {
  readonly values: Values
  readonly rateError: number
  /** The standard deviation of the gaps. */
  readonly deviation: number
}

interface Sought {
  readonly isSought: boolean
  readonly hasDividend: boolean
}

const MOST_STEPS = 50

/** The least squares of the gaps; null where these do not determine the values. */
function fitted(pairs: readonly Pair[], { isSought, hasDividend }: Sought, start: Values): Fit | null {
  // The spot is sought by the logarithm of its change. The rate is last, where R has its error.
  const parameters = Number(isSought) + Number(hasDividend) + 1
  if (pairs.length <= parameters) return null
  const valuesAt = (at: Float64Array): Values => ({
    spot: isSought ? start.spot * Math.exp(at[0]) : start.spot,
    dividend: hasDividend ? at[parameters - 2] : 0,
    rate: at[parameters - 1],
  })
  const problem = {
    parameters,
    residuals: pairs.length,
    evaluate: (at: Float64Array, residuals: Float64Array, derivatives: readonly Float64Array[]) => {
      const values = valuesAt(at)
      for (const [i, pair] of pairs.entries()) {
        const { prepaid, discounted } = partsOf(pair, values)
        const slopes = [
          ...(isSought ? [prepaid] : []),
          ...(hasDividend ? [-pair.years * prepaid] : []),
          pair.years * (discounted - (pair.forward === null ? 0 : prepaid)),
        ]
        residuals[i] = prepaid - discounted - pair.gap
        for (const [j, slope] of slopes.entries()) derivatives[j][i] = slope
      }
      return residuals.every(Number.isFinite)
    },
  }
  const begin = Float64Array.of(
    ...(isSought ? [0] : []),
    ...(hasDividend ? [start.dividend] : []),
    start.rate,
  )
  const found = leastSquares(problem, begin, { mostSteps: MOST_STEPS })
  if (found === undefined) return null
  const deviation = Math.sqrt(found.sumOfSquares / (pairs.length - parameters))
  const rateError = deviation / Math.abs(found.triangle[parameters - 1][parameters - 1])
  return { values: valuesAt(found.at), rateError, deviation }
}

/** The present values of the underlying and of the strike. */
function partsOf({ strike, years, spot, forward }: Pair, values: Values) {
  const discount = Math.exp(-values.rate * years)
  return {
    prepaid:
      forward === null ? (spot ?? values.spot) * Math.exp(-values.dividend * years) : forward * discount,
    discounted: strike * discount,
  }
}

const distances = (pairs: readonly Pair[], values: Values): number[] =>
  pairs.map((pair) => {
    const { prepaid, discounted } = partsOf(pair, values)
    return Math.abs(pair.gap - (prepaid - discounted))
  })

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}
