/** The logarithm of a ratio against 60-digit values, each as a sum of two numbers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { logRatio } from '../../../src/numerics/arithmetic/log-ratio.ts'
import { table } from '../table.ts'

const LOGS = table<Record<'numerator' | 'denominator' | 'head' | 'tail', number>>('log-ratio')

const rounded = (numerator: number, denominator: number) => {
  return logRatio(numerator, denominator).high
}

describe('logarithm of a ratio', () => {
  test('head and tail together are right to 75 binary places, from the smallest to the largest number', () => {
    for (const { denominator, head, numerator, tail } of LOGS) {
      const { high, low } = logRatio(numerator, denominator)
      const error = high - head + (low - tail)
      assert.ok(Math.abs(error) <= 2 ** -75, `ln(${numerator}/${denominator}) is off by ${error}`)
    }
  })

  test('next to one the logarithm keeps its relative accuracy', () => {
    const near = LOGS.filter((row) => Math.abs(row.numerator / row.denominator - 1) < 1e-3)
    for (const { denominator, head, numerator } of near)
      assert.ok(Math.abs(rounded(numerator, denominator) - head) <= 2 ** -53 * Math.abs(head))
    assert.equal(rounded(3, 3), 0)
  })

  test('of numbers that have no ratio above zero it ends too, with what Math.log gives', () => {
    const odd = [0, -0, -1, Infinity, -Infinity, NaN]
    for (const number of odd) {
      assert.equal(rounded(number, 1), Math.log(number))
      assert.equal(rounded(1, number), Math.log(1 / number))
    }
  })
})
