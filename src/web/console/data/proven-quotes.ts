/** Proves by the quotes of an option chain how they are meant. */
import { blackScholesPrice } from '../../../numerics/options/black-scholes.ts'
import { pricesIn } from './chain-pairs.ts'
import { fieldsOf, underlyingIn } from './mapping.ts'
import { isStrike, isTime, isVolatility } from './units.ts'
import { type Ask, type Meant, valuesOf, valuesOfField } from './values.ts'

/** The least that exercise pays, as a share of the underlying, for an option to prove something. */
const LEAST = 0.02
/** The share of it that each price must have or lack, and the share of the prices that must have it; discounting explains the rest. */
const [PAID, UNPAID, MOST] = [0.9, 0.5, 0.9]

/** Whether prices are in units of the underlying: as written, those in the money would be far below what exercise pays. */
export function areInUnderlying({ spec, table, mapping }: Meant): boolean {
  const asks: Ask[] = []
  const strikeField = fieldsOf(spec).find(isStrike) ?? ''
  const [prices, strikes, types] = ['price', strikeField, 'option_type'].map((field) => {
    const column = table.columns[mapping.fields[field]]
    return column && valuesOf({ spec, table, mapping }, { field, column }, asks).values
  })
  const spots = underlyingIn(table)?.values
  if (asks.length > 0 || !prices || !strikes || !types || !spots) return false
  const isCall = spec.choices?.option_type?.indexOf('call')
  let [inMoney, paid] = [0, 0]
  for (let row = 0; row < table.rows; row++) {
    const pays = types[row] === isCall ? spots[row] - strikes[row] : strikes[row] - spots[row]
    if (!(pays > LEAST * spots[row]) || Number.isNaN(prices[row])) continue
    if (prices[row] >= UNPAID * pays) return false
    inMoney++
    if (prices[row] * spots[row] >= PAID * pays) paid++
  }
  return inMoney > 0 && paid >= MOST * inMoney
}

interface Market {
  readonly spot: number
  readonly rate: number
  readonly dividend: number
}

/** The share of the quotes that must agree. */
const AGREEING = 0.9
/** How far prices may be off where no bid and ask say so, as a share of the strike; and by the rounding of volatilities. */
const [ROOM, ROUNDING] = [2e-4, 1e-4]

/** Whether the volatilities and the prices say the same, so that a fit to either is one to the other. */
export function doQuotesAgree(meant: Meant, { spot, rate, dividend }: Market): boolean {
  const { spec, table } = meant
  const asks: Ask[] = []
  const valuesIn = (field?: string) => valuesOfField(meant, field, asks)
  const fields = fieldsOf(spec)
  const [strikes, years, volatilities] = [isStrike, isTime, isVolatility].map((is) =>
    valuesIn(fields.find(is)),
  )
  const types = valuesIn('option_type')
  const prices = pricesIn(meant)
  if (!strikes || !years || !volatilities || !types || prices === null || asks.length > 0) return false
  let [quoted, agreeing] = [0, 0]
  for (let row = 0; row < table.rows; row++) {
    const [price, strike, time] = [prices.values[row], strikes[row], years[row]]
    if (!(price > 0 && volatilities[row] > 0 && strike > 0 && time > 0)) continue
    quoted++
    const type = spec.choices?.option_type?.[types[row]] === 'call' ? 'call' : 'put'
    const own = blackScholesPrice({
      spot,
      strike,
      rate,
      dividendYield: dividend,
      volatility: volatilities[row],
      maturity: time,
      type,
    })
    const room = (prices.room?.(row) ?? ROOM * strike) + ROUNDING * spot * Math.sqrt(time)
    if (Math.abs(own - price) <= room) agreeing++
  }
  return quoted > 0 && agreeing >= AGREEING * quoted
}
