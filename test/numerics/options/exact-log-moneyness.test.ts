/** The logarithm of the forward over the strike against 150-digit values, each as a sum of two numbers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exactLogMoneyness } from '../../../src/numerics/options/exact-log-moneyness.ts'

/** Spot, strike, rate, dividend yield, maturity; the logarithm and what its rounding leaves off. */
const LOGS: readonly [number, number, number, number, number, number, number][] = [
  [
    53743.82614163205, 53931.776347261126, 0.27541964093648624, -0.14050197086164135, 0.008393526076536706,
    -4.027980118277329e-14, 7.1835818367976e-31,
  ],
  [
    4397.903128295355, 4407.452500200134, 0.289141109521737, -0.08440764027200448, 0.005806451266173393,
    2.7367409190652646e-14, -6.608035613520715e-31,
  ],
  [
    399.04820889651955, 397.81084812176596, -0.04155533729789711, -0.0011235533639795126, 0.076811054918506,
    -1.0422011597090408e-8, 5.630217218368043e-25,
  ],
  [
    14.501773402116884, 14.330201832427829, -0.17755765047137517, 5.800730226365828e-18, 0.0670296051007223,
    5.580976467832945e-14, 6.923371550978791e-37,
  ],
  [
    3783.8305010166623, 3777.1459210285234, -0.40724134376722476, -6.698730522589907e-18,
    0.004341846721729854, -2.6873378534318306e-27, -4.027611557606905e-44,
  ],
  [
    0.003537850532954924, 0.0005879253546014058, -0.13577761464979196, -9.717619939893262e-18,
    13.2177505134113, -1.1441240955701e-30, -3.6072084013637836e-47,
  ],
  [
    0.0036263072164647446, 0.08086716923217993, 372.966935541109, -771416418786.4633, 4.024535919532876e-12,
    -7.455703846612335e-17, -1.8866090757365214e-33,
  ],
]

/** ln 2 less its rounded value. */
const LN2_REST = 2.3190468138462996e-17

const logOf = (spot: number, strike: number, rate: number, dividendYield: number, maturity: number) => {
  const { high, low } = exactLogMoneyness(spot, strike, rate, dividendYield, maturity, 0)
  return [high, low]
}

describe('exact logarithm of the forward', () => {
  test('head and tail keep 2⁻⁷⁰ of the logarithm, whatever cancels', () => {
    for (const [spot, strike, rate, dividendYield, maturity, head, tail] of LOGS) {
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
