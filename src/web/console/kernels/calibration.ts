/** The quoted and fitted volatilities that the picture of a calibration shows: of one fit to all quotes, and of one for each maturity. */
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import { varianceGammaGreeks } from '../../../numerics/options/variance-gamma-greeks.ts'
import type { Quotes } from '../../../numerics/results/variance-gamma.ts'
import { curve, evenly } from '../pictures/sampling.ts'

/** The most maturities with curves; of the others only the residuals are drawn. */
const MOST_CURVES = 5
const PLACES = 49
const BASIS_POINTS = 1e4

interface Parameters {
  readonly sigma: number
  readonly theta_vg: number
  readonly nu: number
}

interface Fitted extends Parameters {
  readonly maturities?: readonly ({ readonly T: number } & Partial<Parameters>)[]
}

/** A fit at one maturity. */
export interface SmileFit {
  /** The volatilities at all strikes; null: the maturity has no curve. */
  readonly curve: readonly (number | null)[] | null
  /** Fitted less quoted volatility of each quote, in basis points. */
  readonly residuals: readonly (number | null)[]
}

/** The quotes of one maturity, by their places among all. */
export interface Smile {
  readonly maturity: number
  readonly quotes: readonly number[]
  readonly strikes: readonly number[]
  readonly quoted: readonly (number | null)[]
  /** By the fit to all quotes. */
  readonly all: SmileFit
  /** By the fit to the maturity alone; null: it was not asked for, or has too few quotes. */
  readonly own: SmileFit | null
}

export function smiles(values: Quotes, data: Fitted) {
  const maturities = [...new Set(values.quotes.map(({ T }) => T))].sort((a, b) => a - b)
  const drawn = new Set(evenlyChosen(maturities))
  const all = values.quotes.map(({ K }) => K)
  const strikes = evenly(Math.min(...all), Math.max(...all), PLACES)
  return {
    strikes,
    smiles: maturities.map((maturity): Smile => {
      const quotes = values.quotes.flatMap(({ T }, i) => (T === maturity ? [i] : []))
      const own = quotes.map((i) => values.quotes[i].K)
      const quoted = curve(quotes, (i) => quotedVolatility(values, i))
      const fitOf = (parameters: Parameters): SmileFit => {
        const volatility = (strike: number) => modelVolatility(values, parameters, { strike, maturity })
        const [least, most] = [Math.min(...own), Math.max(...own)]
        const within = (strike: number) => (strike < least || strike > most ? null : volatility(strike))
        const fitted = curve(own, volatility)
        return {
          curve: drawn.has(maturity) ? curve(strikes, within) : null,
          residuals: fitted.map((value, i) => differenceOf(value, quoted[i])),
        }
      }
      const found = data.maturities?.find(({ T }) => T === maturity)
      return {
        maturity,
        quotes,
        strikes: own,
        quoted,
        all: fitOf(data),
        own: found && isFitted(found) ? fitOf(found) : null,
      }
    }),
  }
}

const isFitted = (found: Partial<Parameters>): found is Parameters => found.sigma !== undefined

const differenceOf = (fitted: number | null, quoted: number | null): number | null =>
  fitted === null || quoted === null ? null : BASIS_POINTS * (fitted - quoted)

function quotedVolatility({ S: spot, r: rate, q: dividendYield, quotes }: Quotes, i: number): number {
  const { K: strike, T: maturity, price, implied_volatility: given, option_type: type = 'call' } = quotes[i]
  return given ?? impliedVolatility({ spot, rate, dividendYield, strike, maturity, price: price!, type })
}

/** By the option out of the money, whose price has the volatility to all digits. */
function modelVolatility(
  { S: spot, r: rate, q: dividendYield }: Quotes,
  { sigma, theta_vg: theta, nu }: Parameters,
  { strike, maturity }: { readonly strike: number; readonly maturity: number },
): number {
  const option = {
    spot,
    rate,
    dividendYield,
    strike,
    maturity,
    type: strike < spot ? 'put' : 'call',
  } as const
  const { price } = varianceGammaGreeks({ ...option, sigma, theta, nu })
  return impliedVolatility({ ...option, price })
}

/** The first value, the last one, and some between them at even distances. */
function evenlyChosen(values: readonly number[]): number[] {
  const count = Math.min(values.length, MOST_CURVES)
  const chosen = evenly(0, values.length - 1, Math.max(2, count)).map((place) => values[Math.round(place)])
  return [...new Set(chosen)]
}

const YEAR_MS = 365 * 86_400_000
/** The relative difference between dates and times in years that another count of days explains, and that of a day. */
const [COUNT_TOLERANCE, DAY_YEARS] = [0.02, 2 / 365]

/**
 * The dates of the maturities in a column of dates, or null: the dates of a maturity are the same, and as far apart as the
 * maturities are.
 * @param dateOf the date of a quote by its place, in milliseconds since 1970
 */
export function datesOf(
  smiles: readonly Pick<Smile, 'maturity' | 'quotes'>[],
  dateOf: (quote: number) => number,
): number[] | null {
  const dates = smiles.map(({ quotes }) => dateOf(quotes[0]))
  const isSame = smiles.every(({ quotes }, i) => quotes.every((quote) => dateOf(quote) === dates[i]))
  const isApart = smiles.every(({ maturity }, i) => {
    const [years, wanted] = [(dates[i] - dates[0]) / YEAR_MS, maturity - smiles[0].maturity]
    return Math.abs(years - wanted) <= COUNT_TOLERANCE * wanted + DAY_YEARS
  })
  return isSame && isApart && new Set(dates).size === dates.length ? dates : null
}
