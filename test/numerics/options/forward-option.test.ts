/** Options on a forward: laws of Bachelier's and Black's model, and their edges. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { BachelierInput } from '../../../src/numerics/options/bachelier.ts'
import {
  type ForwardModel,
  forwardGreeks,
  forwardImpliedVolatility,
  forwardOption,
} from '../../../src/numerics/options/forward-option.ts'
import { assertRefused } from '../answer.ts'
import { finite, within } from './inputs.ts'

const types = fc.constantFrom('call' as const, 'put' as const)
const others = { rate: within(-0.05, 0.2), maturity: within(0.01, 10), type: types }
const requests = {
  bachelier: fc.record({
    forward: within(-100, 100),
    strike: within(-100, 100),
    volatility: within(1, 200),
    ...others,
  }),
  black_76: fc.record({
    forward: within(50, 200),
    strike: within(50, 200),
    volatility: within(0.05, 2),
    ...others,
  }),
}
const near = (a: number, b: number, size: number) =>
  assert.ok(Math.abs(a - b) <= 1e-14 * size, `${a} for ${b} of size ${size}`)

for (const model of ['bachelier', 'black_76'] as ForwardModel[])
  describe(model, () => {
    const price = (input: BachelierInput) => forwardOption(model, input)
    const options: fc.Arbitrary<BachelierInput> = requests[model]

    test('call less put is the discounted forward less strike; gamma and vega are the same', () => {
      fc.assert(
        fc.property(options, (input) => {
          const [call, put] = (['call', 'put'] as const).map((type) => ({ ...input, type }))
          const discount = Math.exp(-input.rate * input.maturity)
          const size = price(call) + price(put) + Math.abs(input.forward) + Math.abs(input.strike)
          near(price(call) - price(put), discount * (input.forward - input.strike), size)
          const [above, below] = [forwardGreeks(model, call), forwardGreeks(model, put)]
          near(above.delta - below.delta, discount, discount)
          assert.deepEqual([above.gamma, above.vega], [below.gamma, below.vega])
        }),
      )
    })

    test('prices lie above the payoff, rise with the volatility and are convex in the strike', () => {
      fc.assert(
        fc.property(options, fc.double({ min: 0.01, max: 1, noNaN: true }), (input, step) => {
          const discount = Math.exp(-input.rate * input.maturity)
          const sign = input.type === 'call' ? 1 : -1
          const own = price(input)
          const size = own + Math.abs(input.strike) + Math.abs(input.forward)
          assert.ok(own >= discount * sign * (input.forward - input.strike) - 1e-14 * size)
          assert.ok(price({ ...input, volatility: input.volatility * (1 + step) }) >= own * (1 - 1e-14))
          const [low, high] = [-step, step].map((by) => price({ ...input, strike: input.strike + by }))
          assert.ok(low + high - 2 * own >= -1e-13 * size)
        }),
      )
    })

    test('each Greek is the derivative of the price', () => {
      fc.assert(
        fc.property(options, (input) => {
          const greeks = forwardGreeks(model, input)
          const slope = (name: 'forward' | 'volatility' | 'maturity' | 'rate') => {
            const h = 1e-3 * (name === 'rate' ? 1 : name === 'forward' ? 0.1 * input.volatility : input[name])
            const at = (steps: number) => price({ ...input, [name]: input[name] + steps * h })
            return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h)
          }
          const size = 10 + price(input) + Math.abs(input.forward) + Math.abs(input.strike)
          for (const [found, exact] of [
            [slope('forward'), greeks.delta],
            [slope('volatility'), greeks.vega],
            [-slope('maturity'), greeks.theta],
            [slope('rate'), greeks.rho],
          ])
            assert.ok(Math.abs(found - exact) <= 1e-6 * size * (1 + Math.abs(exact)), `${found} for ${exact}`)
        }),
      )
    })

    test('the implied volatility gives the price again', () => {
      fc.assert(
        fc.property(options, (input) => {
          const asked = price(input)
          const volatility = forwardImpliedVolatility(model, { ...input, price: asked })
          const { vega } = forwardGreeks(model, input)
          near(price({ ...input, volatility }), asked, 20 * asked + vega * volatility)
        }),
      )
    })
  })

describe('bachelier', () => {
  const plain = { forward: -0.004, strike: -0.001, rate: 0.01, volatility: 0.005, maturity: 2 } as const
  const call = { ...plain, type: 'call' } as const

  test('a call is the put with both prices of the other sign, and prices are homogeneous', () => {
    fc.assert(
      fc.property(requests.bachelier, (input) => {
        const turned = { ...input, forward: -input.forward, strike: -input.strike }
        const own = forwardOption('bachelier', input)
        assert.equal(
          forwardOption('bachelier', { ...turned, type: input.type === 'call' ? 'put' : 'call' }),
          own,
        )
        const { forward, strike, volatility } = input
        const large = { ...input, forward: 4 * forward, strike: 4 * strike, volatility: 4 * volatility }
        assert.equal(forwardOption('bachelier', large), 4 * own)
      }),
    )
  })

  test('any doubles give a price not below 0, or are refused', () => {
    const positive = finite.map(Math.abs)
    const record = fc.record({
      forward: finite,
      strike: finite,
      rate: finite,
      volatility: positive,
      maturity: positive,
      type: types,
    })
    fc.assert(
      fc.property(record, (input) => {
        try {
          assert.ok(forwardOption('bachelier', input) >= 0)
          for (const greek of Object.values(forwardGreeks('bachelier', input)))
            assert.ok(Number.isFinite(greek))
        } catch (error) {
          assert.equal((error as Error).name, 'DomainError')
        }
      }),
      { numRuns: 500 },
    )
  })

  test('maturity 0 and volatility 0 give the discounted payoff, whose kink has no Greeks', () => {
    const put = { ...plain, type: 'put' } as const
    assert.equal(forwardOption('bachelier', { ...put, maturity: 0 }), plain.strike - plain.forward)
    const flat = { ...call, volatility: 0 }
    assert.equal(forwardOption('bachelier', flat), 0)
    assert.equal(forwardGreeks('bachelier', { ...put, volatility: 0 }).delta, -Math.exp(-0.02))
    assertRefused('volatility', () => forwardGreeks('bachelier', { ...flat, forward: plain.strike }))
    assertRefused('maturity', () =>
      forwardGreeks('bachelier', { ...call, maturity: 0, forward: plain.strike }),
    )
  })

  test('the bound has the volatility 0, also in decimals; a price above has one, below is refused', () => {
    const quote = { forward: 22.39, strike: -43.14, rate: 0, maturity: 1, type: 'call' } as const
    const implied = (price: number) => forwardImpliedVolatility('bachelier', { ...quote, price })
    assert.equal(implied(65.53), 0)
    const above = implied(65.53 + 2e-14)
    assert.ok(above > 0 && above < 10, `${above}`)
    assertRefused('price', () => implied(65.52))
    assert.equal(forwardImpliedVolatility('bachelier', { ...quote, type: 'put', price: 0 }), 0)
    assertRefused('maturity', () =>
      forwardImpliedVolatility('bachelier', { ...quote, maturity: 0, price: 70 }),
    )
  })

  test('a price of bachelier that was computed is never refused as below its bound', () => {
    for (const [forward, strike, rate, maturity] of [
      [128.15642135905284, -158.39013057869678, 0.03276586831272882, 1],
      [160.51289615924242, -171.46436120197896, -0.0774624016855513, 0.1],
      [136.26421624492787, -181.76241441177993, -0.10755259375632242, 0.1],
    ] as const) {
      const call = { forward, strike, rate, maturity, volatility: 1, type: 'call' } as const
      const price = forwardOption('bachelier', call)
      assert.equal(forwardImpliedVolatility('bachelier', { ...call, price }), 0)
    }
  })

  test('black_76 refuses a forward or strike that is not above 0 and names the other model', () => {
    for (const name of ['forward', 'strike'] as const)
      assert.throws(
        () => forwardOption('black_76', { ...plain, forward: 1, strike: 1, [name]: 0, type: 'put' }),
        {
          parameter: name,
          message: 'must be greater than 0 with black_76; bachelier takes any number',
        },
      )
  })
})
