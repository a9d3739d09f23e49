/** The exponential of a sum of two numbers against 50-digit values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exponential } from '../../../src/numerics/arithmetic/exponential.ts'
import { table } from '../table.ts'

describe('exponential', () => {
  test('head and tail together are right to two units in the last place from exp(−700) to exp(700)', () => {
    for (const { exact, head, tail } of table<Record<'head' | 'tail' | 'exact', number>>('exponential'))
      assert.ok(Math.abs(exponential(head, tail) / exact - 1) <= 4.5e-16, `exp(${head} + ${tail})`)
  })

  test('between any two roots of two it keeps to the engine’s own', () => {
    for (let x = -690; x < 690; x += 0.0137)
      assert.ok(Math.abs(exponential(x, 0) / Math.exp(x) - 1) <= 5e-16, `exp(${x})`)
  })
})
