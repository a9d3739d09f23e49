/** Whether the volatilities and the prices of a chain say the same, so that a fit to either is one to the other. */
import { blackScholesPrice } from '../../../numerics/options/black-scholes.ts'
import { pricesIn } from './chain-pairs.ts'
import { fieldsOf } from './mapping.ts'
import { isStrike, isTime, isVolatility } from './units.ts'
import { type Ask, type Meant, valuesOf } from './values.ts'

interface Market {
  readonly spot: number
  readonly rate: number
  readonly dividend: number
}

/** The share of the quotes that must agree. */
const AGREEING = 0.9
/** How far prices may be off where no bid and ask say so, as a share of the strike; and by the rounding of volatilities. */
const [ROOM, ROUNDING] = [2e-4, 1e-4]

export function doQuotesAgree({ spec, table, mapping }: Meant, { spot, rate, dividend }: Market): boolean {
  const asks: Ask[] = []
  const valuesIn = (field = '') => {
    const column = table.columns[mapping.fields[field]]
    if (column === undefined || mapping.units[field] === null) return null
    return valuesOf({ spec, table, mapping }, { field, column }, asks).values
  }
  const fields = fieldsOf(spec)
  const [strikes, years, volatilities] = [isStrike, isTime, isVolatility].map((is) =>
    valuesIn(fields.find(is)),
  )
  const types = valuesIn('option_type')
  const prices = pricesIn({ spec, table, mapping })
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
