/** Discounted amounts whose discount factor alone is outside the range of doubles. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { discounted } from '../../../src/numerics/options/forward.ts'

describe('a discounted amount', () => {
  test('is right where only its discount factor underflows or overflows', () => {
    // 40-digit values.
    assert.ok(Math.abs(discounted(1e308, 1400, 1) / 9.721322154756662e-301 - 1) < 1e-14)
    assert.ok(Math.abs(discounted(5e-324, -1430, 1) / 5.431174774208591e297 - 1) < 1e-14)
    assert.ok(Math.abs(discounted(3, 1e300, 6.5e-298) / 1.533585584595268e-282 - 1) < 1e-14)
  })

  test('is 0 or infinite beyond the range of doubles', () => {
    assert.equal(discounted(1e308, 1e300, 1e300), 0)
    assert.equal(discounted(1, 1e300, 1e10), 0)
    assert.equal(discounted(1, -1e300, 1e10), Number.POSITIVE_INFINITY)
  })
})
