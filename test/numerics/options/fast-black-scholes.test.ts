/** The short way to an ordinary option's price against the careful one. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { blackScholesPrice } from '../../../src/numerics/options/black-scholes.ts'
import { fastBlackScholes } from '../../../src/numerics/options/fast-black-scholes.ts'

/** A price in this many units of the currency is out of the ordinary, and a power of two costs no digit. */
const SCALE = 2 ** 200

const within = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const market = fc.record({
  isCall: fc.boolean(),
  spot: within(1e-3, 1e4),
  rate: within(-0.05, 0.2),
  volatility: within(-4, 0.3).map((exponent) => 10 ** exponent),
  maturity: within(-4, 1.4).map((exponent) => 10 ** exponent),
  dividendYield: within(-0.02, 0.1),
})
const near = within(-3, 3)
const far = within(-37, 37)

describe('ordinary option', () => {
  for (const [where, deviations] of [
    ['near the money', near],
    ['far from it', far],
  ] as const)
    test(`${where} the short and the careful way agree to 2e-14`, () => {
      let ordinary = 0
      fc.assert(
        fc.property(market, deviations, (m, steps) => {
          const { isCall, spot, rate, volatility, maturity, dividendYield } = m
          const type = isCall ? 'call' : 'put'
          const forward = spot * Math.exp((rate - dividendYield) * maturity)
          const strike = forward * Math.exp(steps * volatility * Math.sqrt(maturity))
          const price = fastBlackScholes({ ...m, strike, type })
          if (Number.isNaN(price) || price < 1e-300) return
          ordinary += 1
          const [s, k] = [spot * SCALE, strike * SCALE]
          const careful = blackScholesPrice({ ...m, spot: s, strike: k, type }) / SCALE
          assert.ok(Math.abs(price / careful - 1) <= 2e-14, `${price} for ${careful}`)
        }),
        { numRuns: 4000 },
      )
      assert.ok(ordinary > 2000, `only ${ordinary} options were ordinary`)
    })

  test('what is out of the ordinary is left to the careful way', () => {
    const refused = [
      [100, 100, 0.05, 0.2, 0, 0],
      [100, 100, 0.05, 0, 1, 0],
      [1e40, 100, 0.05, 0.2, 1, 0],
      [100, 1e-40, 0.05, 0.2, 1, 0],
      [100, 101, 0.05, 7, 1, 0],
      [100, 101, 3, 0.2, 1, 0],
      [100, 101, 1e308, 0.2, 1, -1e308],
      [100, 200, 0.05, 0.01, 1, 0],
    ] as const
    for (const [spot, strike, rate, volatility, maturity, dividendYield] of refused)
      assert.equal(
        fastBlackScholes({ spot, strike, rate, volatility, maturity, dividendYield, type: 'call' }),
        Number.NaN,
      )
  })
})
