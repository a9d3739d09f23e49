/** The estimates of computing time hold for the worst input that a search finds, whatever the machine. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_WORK_MICROS } from '../../../src/base/limits/callers.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { type Input, workOf } from '../../../src/compute/catalogue/operation.ts'
import { compileComputations } from '../../../src/compute/computations.ts'
import { MOST_OF_ESTIMATE, workSpent } from '../../../src/numerics/budget.ts'
import { nearExample, reseed, searches } from './work-inputs.ts'
import { slowness, timeShare } from './work-times.ts'

describe('the estimate of computing time holds for the worst input found', () => {
  const slow = slowness()
  for (const operation of operations)
    test(operation.path, () => {
      const [tries, draw] = searches[operation.path] ?? [200, () => nearExample(operation)]
      reseed(2026)
      let worst = { share: 0, text: '' }
      for (let i = 0; i < tries; i++) {
        const input = draw() as Input
        const text = JSON.stringify(input).slice(0, 200)
        const spent = workSpent(() => operation.compute(input)) / workOf(operation, input)
        assert.ok(spent < MOST_OF_ESTIMATE, `spends ${spent.toFixed(1)} times the estimate for ${text}`)
        // The first runs compile.
        if (i < tries / 4) continue
        const share = timeShare(operation, input, slow, MOST_OF_ESTIMATE)
        if (share > worst.share) worst = { share, text }
      }
      assert.ok(
        worst.share < MOST_OF_ESTIMATE,
        `${worst.share.toFixed(1)} times the estimate for ${worst.text}`,
      )
    })
})

test('an American implied volatility of a price with next to no time value keeps within its budget', () => {
  const operation = operations.find(({ path }) => path === '/quantlib/pricing/american/implied-volatility')!
  const quotes = [
    { price: 4e-145, spot: 82.7, risk_free_rate: 0.003, dividend_yield: 0.115, time_to_maturity: 1.86 },
    { price: 4e-98, spot: 72.4, risk_free_rate: 0.23, dividend_yield: 0.174, time_to_maturity: 4.37 },
    { price: 5e-5, spot: 80.4, risk_free_rate: -2.1e-9, dividend_yield: -2.04e-9, time_to_maturity: 3.6e-4 },
    { price: 216.6448919, spot: 316.6448918, risk_free_rate: -0.53, dividend_yield: 0, time_to_maturity: 63 },
  ]
  for (const quote of quotes) {
    const input = { ...quote, strike: 100, option_type: 'call' } as never
    const spent = workSpent(() => operation.compute(input)) / workOf(operation, input)
    assert.ok(spent < 3, `spends ${spent} times the estimate for ${JSON.stringify(quote)}`)
  }
})

test('an American implied volatility with the spot far from the strike, or the price near its bound, keeps near its estimate', () => {
  const operation = operations.find(({ path }) => path === '/quantlib/pricing/american/implied-volatility')!
  const quote = {
    strike: 90,
    risk_free_rate: 0.05,
    dividend_yield: 0,
    time_to_maturity: 1,
    option_type: 'put',
  }
  for (const [spot, price] of [
    [1e202, 9],
    [1e10, 70],
    [100, 85],
    [100, 89.1],
  ]) {
    const input = { ...quote, spot, price } as never
    assert.ok(workSpent(() => operation.compute(input)) < 2 * workOf(operation, input), String(spot))
  }
})

test('Variance Gamma at a total variance beyond all use keeps within its budget', () => {
  const option = { S: 100, K: 105, r: 0.0146, theta_vg: -0.14, q: 0, option_type: 'call' }
  for (const path of ['/quantlib/models/variance-gamma/price', '/quantlib/models/variance-gamma/greeks'])
    for (const extreme of [
      { T: 1, sigma: 2 ** 53, nu: 1e-100 },
      { T: 1e100, sigma: 0.2, nu: 0.2 },
      { T: 1e15, sigma: 0.2, nu: 0.2, S: 10, K: 1, r: 2.2e-308 },
    ]) {
      const operation = operations.find((one) => one.path === path)!
      const input = { ...option, ...extreme } as never
      const spent = workSpent(() => operation.compute(input)) / workOf(operation, input)
      assert.ok(spent < MOST_OF_ESTIMATE, `${path} spends ${spent} times the estimate`)
    }
})

function withNumbers(value: unknown, extreme: number): unknown {
  if (typeof value === 'number') return extreme
  if (Array.isArray(value)) return value.map((item) => withNumbers(item, extreme))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withNumbers(item, extreme)]))
}

describe('the estimate of computing time is a number whatever the input', () => {
  const all = compileComputations()({})
  for (const operation of operations)
    test(operation.path, () => {
      const { input } = operation.example
      for (const extreme of [1e308, 5e-324, 0, -1e308, 1]) {
        // All fields at once, and each by itself.
        const changed = withNumbers(input, extreme) as Record<string, unknown>
        const bodies = [changed, ...Object.keys(input).map((name) => ({ ...input, [name]: changed[name] }))]
        for (const body of bodies) {
          const job = all.get(operation.path)!.read(Buffer.from(JSON.stringify(body)))
          if (!('micros' in job)) continue
          assert.ok(
            job.micros >= 0 && job.micros <= MAX_WORK_MICROS,
            `${job.micros} for ${JSON.stringify(body)}`,
          )
        }
      }
    })
})
