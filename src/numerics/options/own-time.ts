/** Rates and maturity in a unit of time in which their products and the root of the maturity stay within the range of doubles. */
import { powerOf, scaledBy } from '../arithmetic/scaled-product.ts'

export interface OwnTime {
  /** The maturity in years where it is moderate, else in a unit of 4^half years in which it is 1…4. */
  readonly time: number
  /** Per unit of time; the largest double where it would exceed that. */
  readonly rate: number
  readonly dividendYield: number
  /** A volatility in this unit is multiplied by 2^half. */
  readonly half: number
}

const SHORT = 2 ** -20
const LONG = 2 ** 20

export function inOwnTime(rate: number, dividendYield: number, maturity: number): OwnTime {
  if (maturity === 0 || (maturity > SHORT && maturity < LONG))
    return { time: maturity, rate, dividendYield, half: 0 }
  const half = Math.floor(powerOf(maturity) / 2)
  return {
    time: scaledBy(maturity, -2 * half),
    rate: bounded(scaledBy(rate, 2 * half)),
    dividendYield: bounded(scaledBy(dividendYield, 2 * half)),
    half,
  }
}

const bounded = (value: number) => Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE))
