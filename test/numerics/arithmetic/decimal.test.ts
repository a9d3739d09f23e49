/** Differences of numbers in the decimals in which they are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDecimalDifference } from '../../../src/numerics/arithmetic/decimal.ts'

test('a difference of decimals is told from one that is close', () => {
  assert.notEqual(0.3 - 0.1, 0.2)
  assert.ok(isDecimalDifference(0.3, 0.1, 0.2))
  assert.ok(isDecimalDifference(1e25, 5e24, 5e24))
  assert.ok(isDecimalDifference(1.5e-300, 0.5e-300, 1e-300))
  assert.ok(!isDecimalDifference(0.3, 0.1, 0.19999999999999998))
  assert.ok(
    !isDecimalDifference(7.878688462388665, 2.62651167592561, 5.252176786463055),
    'a number of 16 digits',
  )
  assert.ok(!isDecimalDifference(1e300, 5e-324, 1e300))
})
