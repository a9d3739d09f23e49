/** Implied volatility at the no-arbitrage bounds, and as the inverse of the price. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import { blackScholesGreeks } from '../../../src/numerics/options/black-scholes-greeks.ts'
import {
  type ImpliedVolatilityInput,
  impliedVolatility,
} from '../../../src/numerics/options/implied-volatility.ts'
import { assertRefused } from '../answer.ts'
import { table } from '../table.ts'
import {
  assertNotNegative,
  checkUnlessRefused,
  plain as plainOption,
  positive,
  WILD,
  within,
} from './inputs.ts'

/** A quote whose price is a rounded bound. */
type Row = ImpliedVolatilityInput & { readonly exact: number }

const { volatility: _, ...priced } = plainOption
const plain: ImpliedVolatilityInput = { ...priced, price: 8 }
const option = fc.record({
  spot: within(1, 1000),
  rate: within(-0.05, 0.2),
  volatility: within(-4, 0.5).map((exponent) => 10 ** exponent),
  maturity: within(-4, 1.4).map((exponent) => 10 ** exponent),
  dividendYield: within(-0.02, 0.1),
  type: fc.constantFrom('call' as const, 'put' as const),
})
/** The option whose forward is so many deviations above the strike. */
const struck = fc.tuple(option, within(-30, 8)).map(([given, deviations]) => {
  const { spot, rate, dividendYield, volatility, maturity, type } = given
  const moneyness = deviations * volatility * Math.sqrt(maturity) * (type === 'call' ? 1 : -1)
  return { ...given, strike: spot * Math.exp((rate - dividendYield) * maturity - moneyness) }
})

/** A number from 2⁻⁴⁷ to 2¹⁰ as an integer, without rounding. */
const exact = (value: number) => BigInt(value * 2 ** 100)

/** An option in the money by an intrinsic value, which is its price. */
function inCents(low: number, difference: number, type: 'call' | 'put'): ImpliedVolatilityInput {
  const [most, least] = [(low + difference) / 100, low / 100]
  const [spot, strike] = type === 'call' ? [most, least] : [least, most]
  return { price: difference / 100, spot, strike, rate: 0, maturity: 1, dividendYield: 0, type }
}

describe('implied volatility', () => {
  test('volatility → price → volatility loses no more than the rounding of the price', () => {
    let determined = 0
    fc.assert(
      fc.property(struck, (input) => {
        const price = blackScholes(input)
        if (price < 1e-300) return
        const condition = price / (blackScholesGreeks(input).vega * input.volatility)
        if (!(condition < 1e10)) return
        determined += 1
        const got = impliedVolatility({ ...input, price })
        // The price itself is accurate to 3e-14.
        const tolerance = 1e-13 * Math.max(1, condition)
        assert.ok(Math.abs(got / input.volatility - 1) <= tolerance, `${got} for ${input.volatility}`)
      }),
      { numRuns: 3000 },
    )
    assert.ok(determined > 1500, `only ${determined} prices determined their volatility`)
  })

  test('price → volatility → price is the same price', () => {
    fc.assert(
      fc.property(struck, within(1e-6, 0.999), (input, share) => {
        const { spot, strike, rate, dividendYield, maturity, type } = input
        const [spotNow, strikeNow] = [
          spot * Math.exp(-dividendYield * maturity),
          strike * Math.exp(-rate * maturity),
        ]
        const [most, other] = type === 'call' ? [spotNow, strikeNow] : [strikeNow, spotNow]
        const least = Math.max(most - other, 0)
        const price = least + share * (most - least)
        const volatility = impliedVolatility({ ...input, price })
        const again = blackScholes({ ...input, volatility })
        assert.ok(Math.abs(again / price - 1) <= 3e-14, `${again} for ${price}`)
      }),
    )
  })

  test('a higher price never has a lower volatility', () => {
    fc.assert(
      fc.property(struck, within(1e-6, 0.999), within(1e-16, 1e-3), (input, share, step) => {
        const most = Math.min(
          input.spot * Math.exp(-input.dividendYield * input.maturity),
          input.strike * Math.exp(-input.rate * input.maturity),
        )
        const type = input.spot < input.strike ? 'call' : 'put'
        const lower = blackScholes({ ...input, type, volatility: 0 }) + share * 0.99 * most
        const [low, high] = [lower, lower * (1 + step)].map((price) =>
          impliedVolatility({ ...input, type, price }),
        )
        assert.ok(high! >= low! * (1 - 4e-15), `${high} after ${low}`)
      }),
    )
  })

  test('the price of volatility 0 has a volatility that gives the same price, 0 where it was rounded down', () => {
    assert.equal(impliedVolatility({ ...plain, price: 0 }), 0)
    for (const type of ['call', 'put'] as const)
      for (const strike of [20, 60, 100, 150, 400]) {
        const price = blackScholes({ ...plain, strike, type, volatility: 0 })
        const volatility = impliedVolatility({ ...plain, strike, type, price })
        const again = blackScholes({ ...plain, strike, type, volatility })
        assert.ok(Math.abs(again - price) <= 4e-15 * price, `${again} for ${price}`)
        assert.equal(impliedVolatility({ ...plain, strike, type, price: price * (1 - 2 ** -52) }), 0)
      }
  })

  test('a price that was computed is never refused as below its lower bound, however deep in the money the option is', () => {
    for (const [spot, strike, rate, dividendYield, maturity, volatility] of [
      [100, 0.003264293387400518, 0, 0, 1, 1],
      [89.96768159986085, 0.46666439814212146, -0.05, -0.05, 30, 0.05],
      [197.72398752133856, 2.979501422917057, -0.05, -0.03, 1, 0.2],
      [
        662.6038139008405, 0.22013816835448688, 0, -0.031214223733934766, 1.310191201369662,
        0.48572934830238146,
      ],
    ] as const) {
      const call = { spot, strike, rate, dividendYield, maturity, volatility, type: 'call' } as const
      const put = {
        ...call,
        spot: strike,
        strike: spot,
        rate: dividendYield,
        dividendYield: rate,
        type: 'put',
      } as const
      for (const option of [call, put])
        assert.ok(impliedVolatility({ ...option, price: blackScholes(option) }) >= 0)
    }
    fc.assert(
      fc.property(
        within(5, 30),
        within(1, 1000),
        within(-0.05, 0.05),
        within(0.1, 2),
        (depth, strike, rate, volatility) => {
          const option = {
            ...plain,
            type: 'call' as const,
            spot: strike * Math.exp(depth),
            strike,
            rate,
            volatility,
          }
          assert.ok(impliedVolatility({ ...option, price: blackScholes(option) }) >= 0)
        },
      ),
      { numRuns: 20_000 },
    )
  })

  test('an intrinsic value quoted in cents has volatility 0', () => {
    assert.equal(impliedVolatility({ ...inCents(4314, 2239, 'call'), maturity: 0.5 }), 0)
    const cents = fc.integer({ min: 1, max: 100_000 })
    fc.assert(
      fc.property(cents, cents, fc.constantFrom('call', 'put'), (low, difference, type) => {
        assert.equal(impliedVolatility(inCents(low, difference, type)), 0)
      }),
      { numRuns: 20_000 },
    )
  })

  test('without rates the exact difference of spot and strike decides, and the rounding of price and inputs', () => {
    const seen = { above: 0, at: 0, below: 0 }
    fc.assert(
      fc.property(
        within(1, 1000),
        within(1, 1000),
        fc.integer({ min: -40, max: 40 }),
        (spot, strike, moves) => {
          const type = spot > strike ? 'call' : 'put'
          const price = Math.abs(spot - strike) * (1 + moves * 2 ** -52)
          if (!(price > 1e-6)) return
          const gap = exact(price) - (exact(Math.max(spot, strike)) - exact(Math.min(spot, strike)))
          const rounding = (4n * exact(price) + exact(spot) + exact(strike)) >> 53n
          const input = { ...plain, rate: 0, dividendYield: 0, spot, strike, type, price } as const
          if (gap > 0n) {
            seen.above += 1
            assert.ok(impliedVolatility(input) > 0)
          } else if (gap >= -rounding) {
            seen.at += 1
            assert.equal(impliedVolatility(input), 0)
          } else if (gap < -rounding - 1n) {
            seen.below += 1
            assertRefused('price', () => impliedVolatility(input))
          }
        },
      ),
      { numRuns: 3000 },
    )
    for (const [side, count] of Object.entries(seen)) assert.ok(count > 50, `${side}: ${count}`)
  })

  test('a price that only exact arithmetic tells from its bound has the volatility of 40 digits', () => {
    for (const { exact: expected, ...input } of table<Row>('implied-volatility')) {
      const volatility = impliedVolatility(input)
      const condition = input.price / (blackScholesGreeks({ ...input, volatility }).vega * volatility)
      const off = Math.abs(volatility / expected - 1)
      assert.ok(off <= 1e-13 + 2 ** -70 * condition, `${volatility} for ${expected}`)
    }
  })

  test('a rate far below the rounding of the upper bound decides on which side of it the price is', () => {
    const option = { ...plain, price: 100, rate: 0 }
    assert.ok(impliedVolatility({ ...option, dividendYield: -1e-30 }) > 20)
    assert.ok(impliedVolatility({ ...option, dividendYield: -1e-300 }) > 70)
    assertRefused('price', () => impliedVolatility({ ...option, dividendYield: 1e-30 }))
    assertRefused('price', () => impliedVolatility({ ...option, dividendYield: 1e-300 }))
  })

  test('a price outside the no-arbitrage bounds is refused, and the bound is named', () => {
    const refusal = (change: Partial<ImpliedVolatilityInput>) => {
      try {
        return impliedVolatility({ ...plain, ...change })
      } catch (error) {
        return error instanceof DomainError ? `${error.parameter} ${error.message}` : error
      }
    }
    assert.equal(
      refusal({ strike: 50, dividendYield: 0, rate: 0, price: 49.999 }),
      'price must not be below 50, the lower no-arbitrage bound (discounted payoff of the forward), by more than rounding',
    )
    assert.equal(
      refusal({ dividendYield: 0, price: 100 }),
      'price must be below 100, the upper no-arbitrage bound (discounted {spot}), which only an infinite volatility reaches',
    )
    assert.match(
      String(refusal({ type: 'put', rate: 0, price: 106 })),
      /^price must be below 105, .*discounted \{strike\}/,
    )
  })

  test('the last prices within the bounds are answered', () => {
    const { spot, strike, maturity, type } = plain
    const market = { spot, strike, maturity, type, rate: 0, dividendYield: 0 }
    assert.ok(impliedVolatility({ ...market, price: 100 - 2 ** -46 }) > 16)
    assert.ok(impliedVolatility({ ...market, price: 5e-324 }) < 0.0014)
    assert.ok(impliedVolatility({ ...market, strike: 50, price: 50 + 2 ** -47 }) > 0)
  })

  test('a parameter outside its domain is refused by name', () => {
    assertRefused('price', () => impliedVolatility({ ...plain, price: -1e-9 }))
    assertRefused('spot', () => impliedVolatility({ ...plain, spot: 0 }))
    assertRefused('strike', () => impliedVolatility({ ...plain, strike: -1 }))
    assertRefused('maturity', () => impliedVolatility({ ...plain, maturity: 0 }))
    assertRefused('price', () => impliedVolatility({ ...plain, rate: -1e308 }))
  })

  test('no finite input gives anything but a finite volatility not below zero, or a refusal', () => {
    const { volatility: price, ...others } = WILD
    const wild = fc.record({ ...others, price, maturity: positive })
    checkUnlessRefused(wild, (input) => assertNotNegative(impliedVolatility(input)))
  })
})
