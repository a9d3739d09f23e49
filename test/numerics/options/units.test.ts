/** Options in other units of currency: every number of an answer is multiplied by a power of the unit, and keeps its digits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../../src/compute/catalogue/index.ts'

const UNITS = [2 ** 600, 2 ** -600, 2 ** 40]
/** The power of the unit in which an amount is; others are 0. */
const POWERS: Readonly<Record<string, number>> = {
  spot: 1,
  strike: 1,
  forward: 1,
  price: 1,
  S: 1,
  K: 1,
  vg_call_price: 1,
  european_price: 1,
  early_exercise_premium: 1,
  critical_prices: 1,
  gamma: -1,
  vega: 1,
  theta: 1,
  rho: 1,
  dividend_rho: 1,
  volga: 1,
  speed: -2,
  zomma: -1,
  color: -1,
  d_sigma: 1,
  d_theta_vg: 1,
  d_nu: 1,
}
const option = { spot: 96, strike: 100, risk_free_rate: 0.05, dividend_yield: 0.03, time_to_maturity: 0.75 }
const forward = { forward: 96, strike: 100, risk_free_rate: 0.05, time_to_maturity: 0.75 }
const varianceGamma = { S: 96, K: 100, T: 0.75, r: 0.05, q: 0.03, sigma: 0.2, theta_vg: -0.2, nu: 0.3 }
const CASES = [
  ['pricing/bs/price', { ...option, volatility: 0.2 }],
  ['pricing/bs/greeks', { ...option, volatility: 0.2 }],
  ['pricing/bs/implied-volatility', { ...option, price: 6.5 }],
  ['pricing/american/price', { ...option, volatility: 0.2 }],
  ['pricing/american/price', { ...option, volatility: 0 }],
  ['pricing/american/boundary', { ...option, volatility: 0.2, times: [0, 0.5] }],
  ['pricing/american/implied-volatility', { ...option, price: 6.5 }],
  ['pricing/forward/price', { ...forward, model: 'black_76', volatility: 0.2 }],
  ['pricing/forward/greeks', { ...forward, model: 'black_76', volatility: 0.2 }],
  ['models/variance-gamma/price', varianceGamma],
  ['models/variance-gamma/greeks', varianceGamma],
] as const

for (const [path, input] of CASES)
  for (const type of ['call', 'put'])
    test(`${path} of a ${type} with ${Object.keys(input).at(-1)} ${Object.values(input).at(-1)} keeps its digits in other units`, () => {
      const operation = operations.find((one) => one.path === `/quantlib/${path}`)!
      const defaults = 'option_type' in operation.input.properties ? { option_type: type } : {}
      const answer = operation.compute({ ...input, ...defaults } as never)
      for (const unit of UNITS) {
        const scaled = operation.compute({ ...inUnits(input, unit), ...defaults } as never)
        // In units of 2⁶⁰⁰ the speed is beyond the range of doubles.
        for (const [name, value] of Object.entries(inUnits(scaled as object, 1 / unit)))
          if (Math.abs(POWERS[name] ?? 0) < 2 || unit === 2 ** 40)
            for (const [i, one] of [value].flat(2).entries())
              near(one, [answer[name as never]].flat(2)[i] as unknown, `${name} in units of ${unit}`)
      }
    })

function inUnits(amounts: object, unit: number): Record<string, unknown> {
  const scaled = (value: unknown, factor: number): unknown =>
    Array.isArray(value)
      ? value.map((one) => scaled(one, factor))
      : typeof value === 'number'
        ? value * factor
        : value
  return Object.fromEntries(
    Object.entries(amounts).map(([name, value]) => [name, scaled(value, unit ** (POWERS[name] ?? 0))]),
  )
}

function near(got: unknown, wanted: unknown, text: string): void {
  if (typeof got !== 'number' || typeof wanted !== 'number') assert.equal(got, wanted, text)
  else assert.ok(Math.abs(got - wanted) <= 1e-11 * Math.abs(wanted), `${text}: ${got}, not ${wanted}`)
}
