/** Products and sums whose parts leave the range or cancel. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  exactProduct,
  exactSum,
  logOfProduct,
  scaledProduct,
} from '../../../src/numerics/arithmetic/scaled-product.ts'

const exponent = (high: number) => ({ high, low: 0 })
const assertNear = (got: number, wanted: number) =>
  assert.ok(Math.abs(got / wanted - 1) <= 1e-15, `${got} for ${wanted}`)

test('factors and exponentials out of range give a product within it', () => {
  assertNear(scaledProduct(exponent(0), [1e300, 1e-300, 1e300, 3], [1e300]), 3)
  assertNear(scaledProduct(exponent(0), [5e-324, 2 ** 1023], [2 ** -51]), 1)
  assertNear(scaledProduct(exponent(2000), [1e-308, 1e-308], [1e252]), 3.8811801942843673)
})

test('a product out of range is 0 or infinite, and NaN stays NaN', () => {
  assert.equal(scaledProduct(exponent(-6000), [1e308]), 0)
  assert.equal(scaledProduct(exponent(6000), [1]), Number.POSITIVE_INFINITY)
  assert.equal(scaledProduct(exponent(700), [1e300]), Number.POSITIVE_INFINITY)
  assert.equal(scaledProduct(exponent(-700), [1e-300]), 0)
  assert.equal(scaledProduct(exponent(Number.NEGATIVE_INFINITY), [1]), 0)
  assert.equal(scaledProduct(exponent(1), [0, 5]), 0)
  assert.ok(Number.isNaN(scaledProduct(exponent(Number.NaN), [1])))
  assert.ok(Number.isNaN(scaledProduct(exponent(0), [Number.NaN])))
})

test('the logarithm of a product near 1 has an absolute error of a few units, however extreme its factors', () => {
  assert.ok(
    Math.abs(logOfProduct(exponent(0), [1e300, 1e-150], [1e150 * (1 - 2 ** -40)]) - 2 ** -40) <= 1e-15,
  )
  assertNear(logOfProduct(exponent(-5000), [1e300], [1e-300]), -5000 + 600 * Math.LN10)
})

test('sums and products carry what their rounding leaves off', () => {
  assert.deepEqual(exactSum({ high: 1, low: 0 }, { high: 2 ** -80, low: 0 }), { high: 1, low: 2 ** -80 })
  assert.deepEqual(exactProduct(1 + 2 ** -40, 1 + 2 ** -40), { high: 1 + 2 ** -39, low: 2 ** -80 })
})
