/** Prices of a credit and amounts, in millionths of a currency's unit, and as decimal texts. */
import type { Price } from '../ledger/rules/plan.ts'

export const MILLIONTHS = 1_000_000n

/** A decimal of at most six places. */
export const DECIMAL = '^(0|[1-9][0-9]{0,5})(\\.[0-9]{1,6})?$'
/** A currency by ISO 4217. */
export const CURRENCY = '^[A-Z]{3}$'

export const priceFrom = ({
  amount,
  currency,
}: {
  readonly amount: string
  readonly currency: string
}): Price => {
  const [whole = '', decimals = ''] = amount.split('.')
  return { amount: Number(whole + decimals.padEnd(6, '0')), currency }
}

export const priceJson = (price: Price | null) =>
  price === null ? null : { amount: moneyText(BigInt(price.amount)), currency: price.currency }

/** A number of millionths as a decimal. @param places the least decimal places */
export function moneyText(millionths: bigint, places = 0): string {
  const size = millionths < 0n ? -millionths : millionths
  const decimals = String(size % MILLIONTHS)
    .padStart(6, '0')
    .replace(/0+$/, '')
    .padEnd(places, '0')
  return `${millionths < 0n ? '-' : ''}${size / MILLIONTHS}${decimals === '' ? '' : `.${decimals}`}`
}
