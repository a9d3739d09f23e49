/** The distance of a price from a no-arbitrage bound, as exactly as its sign needs. */
import {
  type FixedPoint,
  fixedPoint,
  fixedPointExponential,
  fromFixedPoint,
  PLACES,
} from '../arithmetic/fixed-point.ts'
import { spend } from '../budget.ts'

export interface DiscountedAmount {
  readonly amount: number
  readonly rate: number
}

const FIRST_PLACES = 256
/** A distance this much larger than its error is rounded to a double. */
const DECIDED = 60n
/** At a larger rate·maturity a discounted amount is below the smallest double. */
const MOST_DECAY = 1500

/**
 * price − (more − less), where both stand for amount·exp(−rate·maturity) below the largest double. Its sign is right, and it is 0
 * only where the exact difference is. The loop ends because that takes rates of 0: otherwise 1 and the powers of e are linearly
 * independent over the rational numbers (Lindemann 1882, Weierstrass 1885). Typically 20 µs.
 */
export function exactGap(
  price: number,
  maturity: number,
  more: DiscountedAmount,
  less?: DiscountedAmount,
): number {
  for (let places = FIRST_PLACES; ; places *= 2) {
    const factor = factorOf(more.rate, maturity, places)
    const other =
      less === undefined || less.rate === more.rate ? factor : factorOf(less.rate, maturity, places)
    const first = discounted(more.amount, factor)
    const second = discounted(less?.amount ?? 0, other)
    const gap = (fixedPoint(price) << BigInt(places)) - first.units + second.units
    const error = (first.error + second.error) << DECIDED
    if (error === 0n || gap > error || -gap > error) return fromFixedPoint(gap, -places - Number(PLACES))
  }
}

/** exp(−rate·maturity). */
function factorOf(rate: number, maturity: number, places: number): FixedPoint {
  if (rate * maturity > MOST_DECAY) return { units: 0n, error: 0n }
  // The factor of a rate of 0 is 1 without computing.
  if (rate !== 0) spend(6 + 4.5e-5 * places ** 2)
  return fixedPointExponential(-rate, maturity, places)
}

function discounted(amount: number, factor: FixedPoint): FixedPoint {
  const units = fixedPoint(amount)
  return { units: units * factor.units, error: (units < 0n ? -units : units) * factor.error }
}
