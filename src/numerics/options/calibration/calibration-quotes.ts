/** The quotes of a calibration as values of options out of the money, by maturity. */
import { DomainError } from '../../domain-error.ts'
import { blackScholesPrice } from '../black-scholes.ts'
import { discounted, forwardValue } from '../forward.ts'
import { impliedVolatility } from '../implied-volatility.ts'
import { logMoneyness } from '../log-moneyness.ts'
import type { Smile } from './variance-gamma-smile.ts'

export interface Quote {
  readonly strike: number
  readonly maturity: number
  /** Either `price` or `impliedVolatility` is given. */
  readonly price?: number
  readonly impliedVolatility?: number
  readonly type: 'call' | 'put'
  /** Weight of the squared residual, not below 0. */
  readonly weight: number
}

export interface Market {
  readonly spot: number
  readonly rate: number
  readonly dividendYield: number
}

export interface Target {
  /** Index among the quotes. */
  readonly place: number
  /** ln(F/K): the option out of the money is a call where it is 0 or less. */
  readonly moneyness: number
  /** The discounted strike. */
  readonly unit: number
  /** The price of the option out of the money, by parity. */
  readonly price: number
  readonly weight: number
  readonly volatility: number
}

export interface Targets {
  /** The targets, ordered like the options of the smiles. */
  readonly targets: readonly Target[]
  readonly smiles: readonly Smile[]
  /** About the volatility at the money: a mean over the maturities. */
  readonly volatility: number
}

/** Fewer quotes with a weight and a time value do not determine the three parameters. */
export const LEAST_USEFUL = 3

/** Throws DomainError, which names the index of a quote that is at fault. */
export function calibrationTargets(market: Market, quotes: readonly Quote[]): Targets {
  if (!(market.spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  const byMaturity = new Map<number, Target[]>()
  for (const [place, quote] of quotes.entries()) {
    const target = targetOf(market, quote, place)
    const own = byMaturity.get(quote.maturity)
    if (own === undefined) byMaturity.set(quote.maturity, [target])
    else own.push(target)
  }
  const given = joined(byMaturity)
  const useful = usefulIn(given)
  if (useful < LEAST_USEFUL)
    throw new DomainError(
      'quotes',
      `must hold at least ${LEAST_USEFUL} quotes with a weight and a time value, to determine three parameters; it has ${useful}`,
    )
  return given
}

/** Whether a quote has a weight and a time value. */
export const isUseful = ({ price, weight }: Target): boolean => price > 0 && weight > 0

export const usefulIn = ({ targets }: Targets): number => targets.filter(isUseful).length

/** The targets of each maturity by themselves. */
export const byMaturity = ({ targets, smiles }: Targets): Targets[] =>
  smiles.map(({ maturity, moneyness, first }) =>
    joined(new Map([[maturity, targets.slice(first, first + moneyness.length)]])),
  )

function joined(byMaturity: ReadonlyMap<number, readonly Target[]>): Targets {
  const targets: Target[] = []
  const smiles: Smile[] = []
  let volatility = 0
  for (const [maturity, own] of byMaturity) {
    smiles.push({
      maturity,
      moneyness: Float64Array.from(own, ({ moneyness }) => moneyness),
      first: targets.length,
    })
    targets.push(...own)
    const known = own.filter((one) => one.volatility > 0)
    const nearest = known.reduce(
      (best, one) => (Math.abs(one.moneyness) < Math.abs(best.moneyness) ? one : best),
      known[0],
    )
    volatility += (nearest?.volatility ?? 0) / byMaturity.size
  }
  return { targets, smiles, volatility }
}

function targetOf({ spot, rate, dividendYield }: Market, quote: Quote, place: number): Target {
  const { strike, maturity, type, weight } = quote
  if (!(strike > 0)) throw atQuote(place, 'strike', 'must be greater than 0')
  if (!(maturity > 0)) throw atQuote(place, 'maturity', 'must be greater than 0')
  if (!(weight >= 0)) throw atQuote(place, 'weight', 'must not be below 0')
  if (quote.price === undefined && quote.impliedVolatility === undefined)
    throw atQuote(place, 'price', 'or {impliedVolatility} must be given')
  if (quote.price !== undefined && quote.impliedVolatility !== undefined)
    throw atQuote(place, 'price', 'must not be given beside {impliedVolatility}')
  const option = { spot, strike, rate, dividendYield, maturity }
  const x = logMoneyness(option, 1)
  const [spotNow, unit] = [discounted(spot, dividendYield, maturity), discounted(strike, rate, maturity)]
  const isCall = x.high <= 0
  const volatility = quote.impliedVolatility ?? volatilityOf({ spot, rate, dividendYield }, quote, place)
  if (!(volatility >= 0)) throw atQuote(place, 'impliedVolatility', 'must not be below 0')
  const price =
    quote.price === undefined
      ? blackScholesPrice({ ...option, volatility, type: isCall ? 'call' : 'put' })
      : Math.max(0, quote.price - ((type === 'call') === isCall ? 0 : forwardValue(x, spotNow, unit)))
  if (!Number.isFinite(x.high + price + unit / spot))
    throw atQuote(place, 'strike', 'gives amounts beyond the range of double precision')
  return { place, moneyness: x.high, unit, price, weight, volatility }
}

/** Refuses a price outside its no-arbitrage bounds. */
function volatilityOf(market: Market, { price, strike, maturity, type }: Quote, place: number): number {
  try {
    return impliedVolatility({ ...market, price: price!, strike, maturity, type })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw new DomainError(`quotes.${place}.${error.parameter}`, error.message, {
      isSentence: error.isSentence,
    })
  }
}

const atQuote = (place: number, name: string, message: string) =>
  new DomainError(`quotes.${place}.${name}`, message)
