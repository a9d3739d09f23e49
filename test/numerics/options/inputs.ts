/** Inputs of option tests: one plain option, and generators of extreme numbers. */
import fc from 'fast-check'
import type { BlackScholesInput } from '../../../src/numerics/options/black-scholes.ts'

export const plain: BlackScholesInput = {
  spot: 100,
  strike: 105,
  rate: 0.05,
  volatility: 0.2,
  maturity: 1,
  dividendYield: 0.02,
  type: 'call',
}

export const within = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** Any positive number, the smallest and the largest included. */
export const positive = fc.oneof(
  fc.constantFrom(5e-324, 1e-308, 1, 1e308, Number.MAX_VALUE),
  fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true }),
)

/** Any finite number. */
export const finite = fc.oneof(
  fc.constantFrom(0, -0, 1e308, -1e308, 1e-308, 0.05),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
