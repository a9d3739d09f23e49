/** The exponential in double-double precision against 80-digit values, each as a sum of two numbers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preciseExponential } from '../../../src/numerics/arithmetic/precise-exponential.ts'
import { table } from '../table.ts'

/** The exponent has two parts; so has the product, the second being what its rounding leaves off. */
type Row = Record<'amount' | 'exponent' | 'exponentLow' | 'high' | 'low', number>

test('amount and exponent at any place of the range keep 95 bits of the product', () => {
  for (const { amount, exponent, exponentLow, high, low } of table<Row>('product')) {
    const got = preciseExponential(amount, { high: exponent, low: exponentLow })
    // Below the normal range the second part has fewer bits.
    const tolerance = 2 ** -95 * high + 1e-323
    assert.ok(
      Math.abs(got.high - high + (got.low - low)) <= tolerance,
      `${got.high} + ${got.low} for ${high}`,
    )
  }
})

test('a product outside the range is infinite or 0', () => {
  assert.equal(preciseExponential(1e300, { high: 1400, low: 0 }).high, Number.POSITIVE_INFINITY)
  assert.equal(preciseExponential(1e-300, { high: -1400, low: 0 }).high, 0)
})
