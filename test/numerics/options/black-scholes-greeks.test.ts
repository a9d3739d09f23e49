/** Black–Scholes Greeks at the edges of their domain, against the price and each other. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type BlackScholesInput, blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import { blackScholesGreeks } from '../../../src/numerics/options/black-scholes-greeks.ts'
import { assertRefused } from '../answer.ts'
import { table } from '../table.ts'
import { checkUnlessRefused, plain, WILD, within } from './inputs.ts'

const NAMES = ['delta', 'gamma', 'vega', 'theta', 'rho'] as const
/** `exact` by 1,000 bits. */
type Row = BlackScholesInput & { readonly greek: (typeof NAMES)[number]; readonly exact: number }

const market = fc.record({
  spot: within(50, 200),
  strike: within(50, 200),
  rate: within(-0.05, 0.2),
  volatility: within(0.1, 1),
  maturity: within(0.1, 10),
  dividendYield: within(-0.02, 0.1),
  type: fc.constantFrom('call' as const, 'put' as const),
})

describe('Black–Scholes Greeks', () => {
  test('call less put: delta and rho differ by the discounted forward, gamma and vega not at all', () => {
    fc.assert(
      fc.property(market, (input) => {
        const call = blackScholesGreeks({ ...input, type: 'call' })
        const put = blackScholesGreeks({ ...input, type: 'put' })
        const spotDecay = Math.exp(-input.dividendYield * input.maturity)
        const strikeNow = input.strike * Math.exp(-input.rate * input.maturity)
        const carry = input.dividendYield * input.spot * spotDecay - input.rate * strikeNow
        const near = (a: number, b: number, size: number) => assert.ok(Math.abs(a - b) <= 4e-15 * size)
        near(call.delta - put.delta, spotDecay, spotDecay)
        near(call.rho - put.rho, input.maturity * strikeNow, input.maturity * strikeNow)
        near(call.theta - put.theta, carry, Math.abs(call.theta) + input.spot + strikeNow)
        assert.equal(call.gamma, put.gamma)
        assert.equal(call.vega, put.vega)
      }),
    )
  })

  test('each Greek is the derivative of the price', () => {
    fc.assert(
      fc.property(market, (input) => {
        const greeks = blackScholesGreeks(input)
        const slope = (
          name: 'spot' | 'rate' | 'volatility' | 'maturity',
          of: (i: BlackScholesInput) => number,
        ) => {
          const h = 1e-3 * (name === 'rate' ? 0.1 : input[name])
          const at = (steps: number) => of({ ...input, [name]: input[name] + steps * h })
          return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h)
        }
        const near = (got: number, wanted: number, size: number) =>
          assert.ok(Math.abs(got - wanted) <= 1e-6 * size, `${got} for ${wanted}`)
        near(slope('spot', blackScholes), greeks.delta, 1)
        near(
          slope('spot', (i) => blackScholesGreeks(i).delta),
          greeks.gamma,
          1,
        )
        near(slope('volatility', blackScholes), greeks.vega, 1000)
        near(-slope('maturity', blackScholes), greeks.theta, 1000)
        near(slope('rate', blackScholes), greeks.rho, 2000)
        const delta = (i: BlackScholesInput) => blackScholesGreeks(i).delta
        const gamma = (i: BlackScholesInput) => blackScholesGreeks(i).gamma
        near(slope('volatility', delta), greeks.vanna!, 10)
        near(
          slope('volatility', (i) => blackScholesGreeks(i).vega),
          greeks.volga!,
          10_000,
        )
        near(-slope('maturity', delta), greeks.charm!, 10)
        near(slope('spot', gamma), greeks.speed!, 1)
        near(slope('volatility', gamma), greeks.zomma!, 10)
        near(-slope('maturity', gamma), greeks.color!, 10)
      }),
    )
  })

  test('they satisfy the equation of Black, Scholes and Merton', () => {
    fc.assert(
      fc.property(market, (input) => {
        const { spot, rate, volatility, dividendYield } = input
        const { delta, gamma, theta } = blackScholesGreeks(input)
        const spread = 0.5 * volatility ** 2 * spot ** 2 * gamma
        const drift = (rate - dividendYield) * spot * delta
        const growth = rate * blackScholes(input)
        const size = Math.abs(theta) + spread + Math.abs(drift) + Math.abs(growth)
        assert.ok(Math.abs(theta + spread + drift - growth) <= 4e-14 * size)
      }),
    )
  })

  test('at maturity 0 or volatility 0 they are those of the discounted payoff of the forward', () => {
    const higher = { vanna: 0, volga: 0, speed: 0, zomma: 0, color: 0 }
    const { theta, charm, ...others } = blackScholesGreeks({ ...plain, spot: 110, maturity: 0 })
    assert.deepEqual(others, { delta: 1, gamma: 0, vega: 0, rho: 0, ...higher })
    assert.equal(charm, 0.02)
    assert.ok(Math.abs(theta - (0.02 * 110 - 0.05 * 105)) < 1e-15)
    const nothing = { delta: 0, gamma: 0, vega: 0, theta: 0, rho: 0, charm: 0, ...higher }
    assert.deepEqual(blackScholesGreeks({ ...plain, maturity: 0, volatility: 0 }), nothing)
    assert.deepEqual(blackScholesGreeks({ ...plain, spot: 110, maturity: 0, type: 'put' }), nothing)
    const put = blackScholesGreeks({ ...plain, volatility: 0, maturity: 2, spot: 80, type: 'put' })
    assert.ok(Math.abs(put.delta + Math.exp(-0.04)) < 1e-15)
    assert.ok(Math.abs(put.rho + 2 * 105 * Math.exp(-0.1)) < 1e-13)
  })

  test('at the kink of the payoff they are refused, and next to it they are not', () => {
    const atTheMoney = { ...plain, strike: 100, dividendYield: 0.05 }
    assertRefused('maturity', () => blackScholesGreeks({ ...atTheMoney, maturity: 0 }))
    assertRefused('volatility', () => blackScholesGreeks({ ...atTheMoney, volatility: 0 }))
    assert.equal(blackScholesGreeks({ ...atTheMoney, volatility: 0, strike: 100 - 1e-13 }).gamma, 0)
    const { delta, gamma } = blackScholesGreeks({
      ...atTheMoney,
      volatility: 1e-300,
      maturity: 1e-4,
      spot: 1e3,
      strike: 1e3,
    })
    assert.ok(Math.abs(delta - 0.5 * Math.exp(-5e-6)) < 1e-16)
    assert.ok(Math.abs(gamma / 3.98940285695017e298 - 1) < 1e-13, `${gamma}`)
  })

  test('a parameter outside its domain, or a Greek beyond the largest double, is refused by name', () => {
    assertRefused('spot', () => blackScholesGreeks({ ...plain, spot: 0 }))
    assertRefused('strike', () => blackScholesGreeks({ ...plain, strike: -1 }))
    assertRefused('volatility', () => blackScholesGreeks({ ...plain, volatility: -1e-9 }))
    assertRefused('maturity', () => blackScholesGreeks({ ...plain, maturity: -1 }))
    assertRefused('maturity', () => blackScholesGreeks({ ...plain, rate: -1e308, type: 'put' }))
  })

  test('gamma is exact up to the largest double, and theta where a rate brings an underflowing price back', () => {
    for (const { exact, greek, ...input } of table<Row>('greeks')) {
      const got = blackScholesGreeks(input)[greek]
      assert.ok(Math.abs(got / exact - 1) < 1e-14, `${got} for ${exact}`)
    }
  })

  test('a Greek of higher order is absent where it is beyond the largest double, and the others are given', () => {
    const greeks = blackScholesGreeks({
      ...plain,
      spot: 1e-200,
      strike: 1e-200,
      dividendYield: plain.rate,
      volatility: 1e-30,
    })
    assert.equal(greeks.speed, undefined)
    assert.ok(greeks.gamma > 0 && Number.isFinite(greeks.vanna))
  })

  test('every Greek is 0 where the forward is infinitely far', () => {
    const far = blackScholesGreeks({
      spot: 1.2247907365373689e239,
      strike: 1.2247907365374748e239,
      rate: 0,
      volatility: 3.417141351419829e-7,
      maturity: 3.1742728036026408e296,
      dividendYield: 9.56805763175788e119,
      type: 'call',
    })
    assert.deepEqual(new Set(Object.values(far)), new Set([0]))
  })

  test('no finite input gives anything but finite numbers of the right signs, or a refusal', () => {
    checkUnlessRefused(fc.record(WILD), (input) => {
      const greeks = blackScholesGreeks(input)
      const sign = input.type === 'call' ? 1 : -1
      for (const name of NAMES) assert.ok(Number.isFinite(greeks[name]), `${name} ${greeks[name]}`)
      for (const [name, greek] of Object.entries(greeks))
        assert.ok(Number.isFinite(greek), `${name} ${greek}`)
      assert.ok(greeks.gamma >= 0 && greeks.vega >= 0)
      assert.ok(sign * greeks.delta >= 0 && sign * greeks.rho >= 0, JSON.stringify(greeks))
    })
  })
})
