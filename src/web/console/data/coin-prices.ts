/** Proves by the options in the money that prices are in units of the underlying: as written, they would be far below what exercise pays. */
import { fieldsOf, underlyingIn } from './mapping.ts'
import { isStrike } from './units.ts'
import { type Ask, type Meant, valuesOf } from './values.ts'

/** The least that exercise pays, as a share of the underlying, for an option to prove something. */
const LEAST = 0.02
/** The share of it that each price must have or lack, and the share of the prices that must have it; discounting explains the rest. */
const [PAID, UNPAID, MOST] = [0.9, 0.5, 0.9]

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
