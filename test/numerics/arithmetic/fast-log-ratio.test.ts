/** The logarithm to 59 bits against the one to 75. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fastLogRatio } from '../../../src/numerics/arithmetic/fast-log-ratio.ts'
import { logRatio } from '../../../src/numerics/arithmetic/log-ratio.ts'

function assertClose(numerator: number, denominator: number): void {
  const exact = logRatio(numerator, denominator)
  const fast = fastLogRatio(numerator, denominator)
  const error = Math.abs(fast.high - exact.high + (fast.low - exact.low))
  assert.ok(
    error <= 2 ** -67 && error <= 2 ** -59 * Math.abs(exact.high) + 2 ** -74,
    `ln(${numerator}/${denominator}) is off by ${error}`,
  )
}

describe('logarithm of a quotient', () => {
  test('both parts together are right to 67 binary places and to 59 bits', () => {
    const exponent = fc.double({ min: -30, max: 30, noNaN: true })
    fc.assert(
      fc.property(exponent, exponent, (a, b) => assertClose(10 ** a, 10 ** b)),
      { numRuns: 2000 },
    )
  })

  test('next to one, where the logarithm is a small difference, it keeps its bits', () => {
    const near = fc.double({ min: 0.98, max: 1.02, noNaN: true })
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e5, noNaN: true }), near, (b, quotient) =>
        assertClose(b * quotient, b),
      ),
      { numRuns: 2000 },
    )
    assert.deepEqual(fastLogRatio(3, 3), { high: 0, low: 0 })
  })

  test('at the upper edge of the first cell, where its square rounds most, it keeps them too', () => {
    // 2^-59.57 and 2^-67.68: the worst of 30 million.
    assertClose(1.7174852889374057, 1.7125250812746307)
    assertClose(1.9694511000204622, 1.9619400144277357)
    assertClose(0.7182799698957384, 0.7155741002538921)
  })

  test('halfway between two cells of the table either will do', () => {
    for (let n = 128; n < 256; n++)
      for (const step of [0, 2 ** -52, -(2 ** -52)])
        for (const denominator of [1, 0.75, 1.25])
          assertClose(denominator * ((n + 0.5) / 128 + step), denominator)
  })
})
