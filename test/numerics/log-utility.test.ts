/** Logarithmic utility against 50 digits, and its edges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { logUtility } from '../../src/numerics/log-utility.ts'
import { assertRefused } from './answer.ts'

test('more wealth means more utility and less risk aversion', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (wealth) => {
      const poor = logUtility(wealth)
      const rich = logUtility(wealth * 1.5)
      assert.ok(rich.utility > poor.utility)
      assert.ok(rich.absoluteRiskAversion < poor.absoluteRiskAversion)
    }),
  )
})

test('wealth that is not above zero is refused', () => {
  for (const wealth of [0, -0, -1, Number.NaN]) assertRefused('wealth', () => logUtility(wealth))
})

test('wealth so small that its reciprocal overflows is refused', () => {
  assertRefused('wealth', () => logUtility(5e-324))
  assert.ok(Number.isFinite(logUtility(1e-308).marginalUtility))
})
