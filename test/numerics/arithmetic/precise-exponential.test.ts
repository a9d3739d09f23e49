/** The exponential in double-double precision against 80-digit values, each as a sum of two numbers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preciseExponential } from '../../../src/numerics/arithmetic/precise-exponential.ts'

/** Amount, exponent in two parts; the product and what its rounding leaves off. */
const PRODUCTS: readonly [number, number, number, number, number][] = [
  [1, 1, 0, Math.E, 1.4456468917292502e-16],
  [1, -700.125, 1e-15, 8.701134010353995e-305, 4.397e-321],
  [1.7e308, -1, 0, 6.25395049991452e307, -2.599320967672332e291],
  [100, -0.05, 2.7755575615628914e-19, 95.1229424500714, -5.357130224072086e-15],
  [5e-324, 1400, 0, 5.0822885814919656e284, -8.044469064267962e266],
  [3, 0, 0, 3.0, 0.0],
  [2, 1e-20, 1e-40, 2.0, 2e-20],
  [1e-310, 700.5, 1e-14, 1.6721859620675102e-6, -6.671129798969311e-24],
  [123.456, 0.34657, -1e-17, 174.59252271916986, 5.494346407373394e-15],
  [7e-5, -12.3456789, 3e-16, 3.043952130511856e-10, -9.084032313672418e-29],
]

test('amount and exponent at any place of the range keep 95 bits of the product', () => {
  for (const [amount, exponent, exponentLow, high, low] of PRODUCTS) {
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
