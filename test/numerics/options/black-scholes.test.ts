/** Black–Scholes–Merton against reference values, published tables and its own laws. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { referenceCases } from '../../../src/app/cli/selftest/vectors.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { type BlackScholesInput, blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import { table } from '../table.ts'
import { assertNotNegative, checkUnlessRefused, plain, WILD, within } from './inputs.ts'

interface Case {
  name: string
  input: {
    spot: number
    strike: number
    risk_free_rate: number
    volatility: number
    time_to_maturity: number
    dividend_yield?: number
    option_type?: 'call' | 'put'
  }
  exact: string
  rel_tol: number
  abs_tol: number
  published?: number
}
const cases = referenceCases<Case>('black_scholes')

const priceOf = ({ input }: Case) =>
  blackScholes({
    spot: input.spot,
    strike: input.strike,
    rate: input.risk_free_rate,
    volatility: input.volatility,
    maturity: input.time_to_maturity,
    dividendYield: input.dividend_yield ?? 0,
    type: input.option_type ?? 'call',
  })

/** `exact` by a 60-digit closed form; cancelling and underflowing ones by quadrature too. */
type Row = BlackScholesInput & { readonly about: string; readonly exact: number }

const market = fc.record({
  spot: within(1, 1000),
  strike: within(1, 1000),
  rate: within(-0.05, 0.2),
  volatility: within(0.01, 1.5),
  maturity: within(0.002, 30),
  dividendYield: within(-0.02, 0.1),
})

describe('Black–Scholes price', () => {
  test('every reference case is within a relative 1e-13, however ill-conditioned', () => {
    for (const reference of cases) {
      const exact = Number(reference.exact)
      assert.ok(Math.abs(priceOf(reference) - exact) <= 1e-13 * exact, reference.name)
    }
  })

  test('the table of Haug (1998) is met to its four decimals', () => {
    const published = cases.filter((reference) => reference.published !== undefined)
    assert.ok(published.length >= 40)
    for (const reference of published)
      assert.ok(Math.abs(priceOf(reference) - reference.published!) <= 1e-4, reference.name)
  })

  for (const [about, rows] of Map.groupBy(table<Row>('black-scholes'), (row) => row.about))
    test(`a price keeps thirteen digits where numbers are ${about}`, () => {
      for (const { about: _, exact, ...input } of rows) {
        const price = blackScholes(input)
        assert.ok(Math.abs(price / exact - 1) <= 1e-13, `${price} for ${exact}`)
      }
    })

  test('call less put is the discounted forward less the discounted strike', () => {
    fc.assert(
      fc.property(market, (input) => {
        const call = blackScholes({ ...input, type: 'call' })
        const put = blackScholes({ ...input, type: 'put' })
        const spot = input.spot * Math.exp(-input.dividendYield * input.maturity)
        const strike = input.strike * Math.exp(-input.rate * input.maturity)
        assert.ok(Math.abs(call - put - (spot - strike)) <= 4e-15 * Math.max(spot, strike, call, put))
      }),
    )
  })

  test('a call lies between the discounted payoff of the forward and the discounted spot', () => {
    fc.assert(
      fc.property(market, (input) => {
        const call = blackScholes({ ...input, type: 'call' })
        const spot = input.spot * Math.exp(-input.dividendYield * input.maturity)
        const strike = input.strike * Math.exp(-input.rate * input.maturity)
        assert.ok(call <= spot * (1 + 1e-15) && call >= Math.max(spot - strike, 0) * (1 - 1e-14))
      }),
    )
  })

  test('a call falls and a put rises with the strike, also across the seams of the tables', () => {
    fc.assert(
      fc.property(market, within(1e-9, 0.5), (input, step) => {
        const higher = { ...input, strike: input.strike * (1 + step) }
        const [call, callAbove] = [input, higher].map((i) => blackScholes({ ...i, type: 'call' }))
        const [put, putAbove] = [input, higher].map((i) => blackScholes({ ...i, type: 'put' }))
        assert.ok(callAbove <= call * (1 + 1e-14) && putAbove >= put * (1 - 1e-14))
      }),
    )
  })

  test('maturity 0 is the payoff and volatility 0 the discounted payoff of the forward', () => {
    assert.equal(blackScholes({ ...plain, maturity: 0 }), 0)
    assert.equal(blackScholes({ ...plain, maturity: 0, type: 'put' }), 5)
    const forward = 110 * Math.exp(-0.02) - 105 * Math.exp(-0.05)
    const price = blackScholes({ ...plain, spot: 110, volatility: 0 })
    assert.ok(Math.abs(price - forward) < 1e-13)
    assert.equal(blackScholes({ ...plain, spot: 110, volatility: -0, type: 'put' }), 0)
  })

  test('a parameter outside its domain is refused by name', () => {
    const refusal = (change: Partial<BlackScholesInput>) => {
      try {
        blackScholes({ ...plain, ...change })
      } catch (error) {
        if (error instanceof DomainError) return error.parameter
      }
      return undefined
    }
    assert.equal(refusal({ spot: 0 }), 'spot')
    assert.equal(refusal({ strike: -1 }), 'strike')
    assert.equal(refusal({ volatility: -1e-9 }), 'volatility')
    assert.equal(refusal({ maturity: -1 }), 'maturity')
    assert.equal(refusal({ rate: -1e308, type: 'put' }), 'maturity')
  })

  test('no finite input gives anything but a finite price not below zero, or a refusal', () => {
    checkUnlessRefused(fc.record(WILD), (input) => assertNotNegative(blackScholes(input)))
  })

  test('a price is 0 where both rates leave nothing of an equal spot and strike', () => {
    const steep = {
      spot: 1e-192,
      strike: 1e-192,
      rate: 2e252,
      dividendYield: 2.6e276,
      volatility: 2e-190,
      maturity: 1.4e263,
    }
    for (const type of ['call', 'put'] as const) assert.equal(blackScholes({ ...steep, type }), 0)
  })

  test('a price is finite where a discount factor alone overflows', () => {
    // K·exp(−rT) − S·exp(−qT), by 40 digits: the time value is below 1e-300 of it.
    const put = blackScholes({
      spot: 1e-310,
      strike: 1e-300,
      rate: -800,
      volatility: 0.2,
      maturity: 1,
      dividendYield: 0,
      type: 'put',
    })
    assert.ok(Math.abs(put / Number('2.7263745721125666e47') - 1) < 1e-12, `${put}`)
  })
})
