/** The logarithm of the forward over the strike against 150-digit values, each as a sum of two numbers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exactLogMoneyness } from '../../../src/numerics/options/exact-log-moneyness.ts'
import { table } from '../table.ts'

/** `head` is the logarithm, `tail` what its rounding leaves off. */
type Row = Record<'spot' | 'strike' | 'rate' | 'dividendYield' | 'maturity' | 'head' | 'tail', number>

/** ln 2 less its rounded value. */
const LN2_REST = 2.3190468138462996e-17

const logOf = (spot: number, strike: number, rate: number, dividendYield: number, maturity: number) => {
  const { high, low } = exactLogMoneyness({ spot, strike, rate, dividendYield, maturity }, 0)
  return [high, low]
}

describe('exact logarithm of the forward', () => {
  test('head and tail keep 2⁻⁷⁰ of the logarithm, whatever cancels', () => {
    for (const row of table<Row>('log-moneyness')) {
      const { spot, strike, rate, dividendYield, maturity, head, tail } = row
      const [x, xTail] = logOf(spot, strike, rate, dividendYield, maturity)
      assert.ok(
        Math.abs(x - head + (xTail - tail)) <= 2 ** -70 * Math.abs(head),
        `${x} + ${xTail} for ${head}`,
      )
    }
  })

  test('the drift alone is exact down to the smallest number, and nothing below it', () => {
    assert.deepEqual(logOf(3, 3, 0.75, 0.25, 2 ** -1070), [2 ** -1071, 0])
    assert.deepEqual(logOf(3, 3, 0, 2 ** -1074, 1), [-(2 ** -1074), 0])
    assert.equal(Math.abs(logOf(Number.MAX_VALUE, Number.MAX_VALUE, 0, 5e-324, 5e-324)[0]), 0)
  })

  test('amounts at opposite ends of the range are brought together', () => {
    const [x] = logOf(2 ** 1000, 2 ** -1074, -Math.LN2, 0, 2074)
    assert.ok(Math.abs(x / (2074 * LN2_REST) - 1) <= 1e-15)
  })
})
