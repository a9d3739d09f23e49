/** Logarithmic utility against 50 digits, and its edges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Static } from 'typebox'
import { logUtilityOperation } from '../../src/catalogue/economics/log-utility.ts'
import { logUtility } from '../../src/numerics/log-utility.ts'
import { answer, assertClose, assertRefused, type ReferenceCase, referenceCases } from './reference-cases.ts'

type Case = ReferenceCase<Static<typeof logUtilityOperation.input>, Static<typeof logUtilityOperation.output>>

test('every reference case is within two units in the last place', () => {
  const cases = referenceCases<Case>('log_utility')
  assert.equal(cases.length, 52)
  for (const reference of cases) {
    const got = answer(logUtilityOperation, reference.input)
    assertClose(got.utility, reference.expected.utility, reference)
    assertClose(got.marginal_utility, reference.expected.marginal_utility, reference)
    assertClose(got.absolute_risk_aversion, reference.expected.absolute_risk_aversion, reference)
    assert.equal(got.relative_risk_aversion, 1)
  }
})

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
