/** The column of mid prices that a chain of options lacks beside its bids and asks. */
import { isHeadingOf, quoteSide } from './headings.ts'
import { MOST_COLUMNS } from './long-table.ts'
import { type Column, isNumeric } from './table.ts'

/** null: the table is no chain, has mid prices, or has several bids or asks. A bid of 0 is none, so that its option has no mid price. */
export function midPrices(columns: readonly Column[]): Column | null {
  if (columns.length > MOST_COLUMNS) return null
  const [[bid, ...bids], [ask, ...asks]] = [quotesIn(columns, 'bid'), quotesIn(columns, 'ask')]
  const isChain = columns.some(({ name }) => isHeadingOf('strike', name))
  if (
    !isChain ||
    bid === undefined ||
    ask === undefined ||
    // The mean would hide how they are read.
    bid.doubt !== null ||
    ask.doubt !== null ||
    bids.length + asks.length + quotesIn(columns, 'mid').length > 0
  )
    return null
  const values = bid.values.map((value, row) =>
    value > 0 && ask.values[row] >= value ? roundedMean(value, ask.values[row]) : Number.NaN,
  )
  return {
    name: 'Mid',
    type: 'number',
    values,
    words: null,
    gaps: values.filter(Number.isNaN).length,
    odd: [],
    oddCount: 0,
    isPercent: bid.isPercent || ask.isPercent,
    doubt: null,
    madeOf: `${bid.name} and ${ask.name}`,
  }
}

/** The columns of numbers whose headings call them bids, asks or prices between them. */
export const quotesIn = (
  columns: readonly Column[],
  side: NonNullable<ReturnType<typeof quoteSide>>,
): Column[] => columns.filter((column) => isNumeric(column) && quoteSide(column.name) === side)

/** A mean without the digits that its rounding adds: that of 0.1 and 0.2 is 0.15. */
const roundedMean = (a: number, b: number): number => Number(((a + b) / 2).toPrecision(12))
