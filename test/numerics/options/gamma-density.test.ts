/** The gamma clock's density against 40-digit values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gammaDensityPeak, logDensity } from '../../../src/numerics/options/gamma-density.ts'
import { table } from '../table.ts'

describe('gamma clock', () => {
  test('the density at the mean is right to a few units in the last place for shapes over 320 decades', () => {
    for (const { exact, shape } of table<{ shape: number; exact: number }>('gamma-density-peak'))
      assert.ok(Math.abs(gammaDensityPeak(shape) / exact - 1) <= 2e-15, `shape ${shape}`)
  })

  test('the logarithm of the density has no cancellation next to the mean', () => {
    for (const { exact, u } of table<{ u: number; exact: number }>('log-density'))
      assert.ok(Math.abs(logDensity(u, Math.exp(u)) / exact - 1) <= 4e-15, `u ${u}`)
    assert.equal(logDensity(0, 1), -0)
  })
})
