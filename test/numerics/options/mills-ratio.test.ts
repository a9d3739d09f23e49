/** Mills' ratio against 50-digit values of the complementary error function. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { millsDifference, millsRatio } from '../../../src/numerics/options/mills-ratio.ts'
import { table } from '../table.ts'

describe("Mills' ratio", () => {
  test('the ratio is right to four units in the last place, and far below the table to fourteen digits', () => {
    for (const { exact, y } of table<{ y: number; exact: number }>('mills-ratio'))
      assert.ok(Math.abs(millsRatio(y) / exact - 1) <= (y > -4 ? 9e-16 : 1e-14), `R(${y})`)
  })

  test('the drop over a narrow interval has no cancellation, and over a wide one that of the two values', () => {
    for (const { exact, t, y } of table<Record<'y' | 't' | 'exact', number>>('mills-difference')) {
      const most = t < 0.12 ? 7e-16 : 4e-16 * (1 + millsRatio(y - t) / exact)
      assert.ok(Math.abs(millsDifference(y, t) / exact - 1) <= most, `R(${y} - ${t}) - R(${y} + ${t})`)
    }
  })

  test('beyond the table the asymptotic series joins without a step', () => {
    assert.ok(Math.abs(millsRatio(124) / millsRatio(124 - 2 ** -46) - 1) < 1e-15)
    assert.equal(millsRatio(1e300), 1e-300)
  })
})
