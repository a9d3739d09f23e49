/** Exponentials and doubles in integers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  fixedPoint,
  fixedPointExponential,
  fromFixedPoint,
} from '../../../src/numerics/arithmetic/fixed-point.ts'

describe('fixed-point numbers', () => {
  test('a double comes back as it was, from the smallest to the largest', () => {
    for (const value of [0, 5e-324, -2.2e-308, 0.1, -65.53, Number.MAX_VALUE])
      assert.equal(fromFixedPoint(fixedPoint(value), -1074), value)
  })

  test('a number below the smallest double keeps its sign', () => {
    assert.equal(fromFixedPoint(3n, -3000), 5e-324)
    assert.equal(fromFixedPoint(-3n, -3000), -5e-324)
  })

  test('the exponential is within its error of that of twice the places', () => {
    for (const [a, b] of [
      [1, 1],
      [-0.03, 0.5],
      [-1400, 1],
      [1e-200, 1e100],
      [37.5, 40],
    ] as const) {
      const { units, error } = fixedPointExponential(a, b, 256)
      const off = (units << 256n) - fixedPointExponential(a, b, 512).units
      assert.ok((off < 0n ? -off : off) <= error << 256n, `exp(${a}·${b})`)
      assert.ok(a < -700 || Math.abs(fromFixedPoint(units, -256) / Math.exp(a * b) - 1) < 1e-15 || a > 30)
    }
  })

  test('the exponential of 0 is exact', () => {
    assert.deepEqual(fixedPointExponential(0, 3, 256), { units: 1n << 256n, error: 0n })
  })
})
