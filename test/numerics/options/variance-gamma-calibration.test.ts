/** Fits of Variance Gamma to surfaces of quotes whose parameters are known, or that have none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import type { Quote } from '../../../src/numerics/options/calibration/calibration-quotes.ts'
import { varianceGammaCalibration } from '../../../src/numerics/options/calibration/variance-gamma-calibration.ts'
import { varianceGammaSmile } from '../../../src/numerics/options/calibration/variance-gamma-smile.ts'
import { varianceGammaGreeks } from '../../../src/numerics/options/variance-gamma-greeks.ts'
import { market, surfaces } from './variance-gamma-surfaces.ts'

const { between, drawn, surface } = surfaces(11)
const names = ['sigma', 'theta', 'nu'] as const

test('exact prices give the parameters back to 1e-6, or the parameters count as not identifiable', () => {
  for (let i = 0; i < 25; i++) {
    const model = drawn()
    const fit = varianceGammaCalibration(market, surface(model))
    if (!fit.isIdentifiable) continue
    for (const name of names)
      assert.ok(
        Math.abs(fit[name] - model[name]) <= 1e-6 * Math.max(Math.abs(model[name]), 0.01),
        `${name} of ${JSON.stringify(model)}: ${fit[name]}`,
      )
    assert.ok(fit.rmse < 1e-9)
  }
})

test('exact prices far out of the money give the parameters back to 1e-6, or the parameters count as not identifiable', () => {
  let told = 0
  for (let i = 0; i < 60; i++) {
    const model = drawn()
    const maturity = Math.exp(between(-4, 1))
    const width = Math.sqrt((model.sigma ** 2 + model.theta ** 2 * model.nu) * maturity)
    const first = i % 2 === 0 ? 4 : 12
    const quotes = Array.from({ length: 5 }, (_, k): Quote => {
      const type = between(-1, 1) < 0 ? 'put' : 'call'
      const far = (first + (first / 4) * k) * width
      const strike = 100 * Math.exp((type === 'put' ? -far : far) + 0.02 * maturity)
      const { price } = varianceGammaGreeks({ ...market, ...model, strike, maturity, type })
      return { strike, maturity, price, type, weight: 1 }
    })
    const fit = varianceGammaCalibration(market, quotes)
    if (!fit.isIdentifiable) continue
    told++
    for (const name of names)
      assert.ok(
        Math.abs(fit[name] - model[name]) <= 1e-6 * Math.max(Math.abs(model[name]), 0.01),
        `${name} of ${JSON.stringify(model)}: ${fit[name]}`,
      )
  }
  assert.ok(told > 10, `${told} of 60`)
})

test('of noisy quotes nearly all parameters are within three standard errors', () => {
  let inside = 0
  const rounds = 25
  for (let i = 0; i < rounds; i++) {
    const model = drawn()
    const fit = varianceGammaCalibration(market, surface(model, 0.01))
    for (const name of names)
      if (Math.abs(fit[name] - model[name]) <= 3 * fit.standardErrors![name]) inside += 1
  }
  assert.ok(inside >= 3 * rounds - 2, `${inside} of ${3 * rounds}`)
})

test('the same quotes give the same bits, and the kind and the form of a quote do not matter', () => {
  const quotes = surface(drawn(), 0.01)
  const fit = varianceGammaCalibration(market, quotes)
  assert.deepEqual(varianceGammaCalibration(market, quotes), fit)
  const others = quotes.map(({ price, type, ...quote }) => {
    const forward = 100 * Math.exp(-0.01 * quote.maturity) - quote.strike * Math.exp(-0.03 * quote.maturity)
    return type === 'call'
      ? { ...quote, type: 'put' as const, price: price! - forward }
      : { ...quote, type: 'call' as const, price: price! + forward }
  })
  const other = varianceGammaCalibration(market, others)
  for (const name of names) assert.ok(Math.abs(other[name] / fit[name] - 1) < 1e-8, name)
})

test('a weight of 2 is that of two quotes, and a quote of weight 0 has a residual and no influence', () => {
  const quotes = surface({ sigma: 0.2, theta: -0.2, nu: 0.3 }, 0.01)
  const doubled = varianceGammaCalibration(market, [...quotes, quotes[20]])
  const weighted = varianceGammaCalibration(
    market,
    quotes.map((quote, i) => (i === 20 ? { ...quote, weight: 2 } : quote)),
  )
  const absurd = { ...quotes[30], price: 9, weight: 0 }
  const without = varianceGammaCalibration(market, [...quotes, absurd])
  const plain = varianceGammaCalibration(market, quotes)
  for (const name of names) {
    assert.ok(Math.abs(doubled[name] / weighted[name] - 1) < 1e-8, name)
    assert.ok(Math.abs(without[name] / plain[name] - 1) < 1e-9, name)
  }
  assert.ok(Math.abs(without.residuals.at(-1)! + 9 - (plain.residuals[30] + quotes[30].price!)) < 1e-9)
})

test('a fit does not depend on the units of prices and weights', () => {
  const quotes = surface({ sigma: 0.2, theta: -0.2, nu: 0.3 }, 0.01)
  const plain = varianceGammaCalibration(market, quotes)
  for (const [unit, weight] of [
    [2 ** 660, 1],
    [2 ** -660, 1],
    [1, 2 ** 1020],
    [1, 2 ** -1020],
  ]) {
    const others = quotes.map((quote) => ({
      ...quote,
      strike: quote.strike * unit,
      price: quote.price! * unit,
      weight,
    }))
    const other = varianceGammaCalibration({ ...market, spot: market.spot * unit }, others)
    assert.ok(Math.abs(other.rmse / unit / plain.rmse - 1) < 1e-9, `${other.rmse} in units of ${unit}`)
    for (const name of names) assert.ok(Math.abs(other[name] / plain[name] - 1) < 1e-8, name)
  }
})

test('quotes of Black–Scholes do not determine the parameters', () => {
  const flat = [80, 90, 100, 110, 120].map(
    (strike): Quote => ({ strike, maturity: 1, impliedVolatility: 0.2, type: 'call', weight: 1 }),
  )
  const fit = varianceGammaCalibration(market, flat)
  assert.equal(fit.isIdentifiable, false)
  assert.equal(fit.standardErrors, undefined)
  assert.ok(fit.rmse < 1e-3 && Number.isFinite(fit.conditionNumber))
})

test('three quotes have no standard errors, and fewer with a time value are refused', () => {
  const quotes = surface({ sigma: 0.2, theta: -0.2, nu: 0.3 }).slice(36, 39)
  assert.equal(varianceGammaCalibration(market, quotes).standardErrors, undefined)
  const worthless = { ...quotes[0], price: 0 }
  assert.throws(() => varianceGammaCalibration(market, [worthless, ...quotes.slice(1)]), DomainError)
})

test('a smile is that of prices one by one, with its derivatives', () => {
  for (let i = 0; i < 40; i++) {
    const model = drawn()
    const maturity = Math.exp(between(-4, 1.5))
    const moneyness = Float64Array.from([0, -0.3, 0.2, 0.01], (x) => x * Math.sqrt(maturity))
    const list = () => new Float64Array(moneyness.length)
    const into = { value: list(), bySigma: list(), byTheta: list(), byNu: list() }
    assert.ok(varianceGammaSmile(model, { maturity, moneyness, first: 0 }, into))
    for (const [k, x] of moneyness.entries()) {
      const type = x <= 0 ? 'call' : 'put'
      const option = { spot: Math.exp(x), strike: 1, rate: 0, dividendYield: 0, maturity, type } as const
      const { price, bySigma, byTheta, byNu } = varianceGammaGreeks({ ...option, ...model })
      assert.ok(Math.abs(into.value[k] - price) < 1e-12)
      assert.ok(Math.abs(into.bySigma[k] - bySigma) < 1e-10)
      assert.ok(Math.abs(into.byTheta[k] - byTheta) < 1e-10)
      assert.ok(Math.abs(into.byNu[k] - byNu) * model.nu < 1e-10)
    }
  }
})

test('a price outside its bounds is refused with its place', () => {
  const quotes = surface({ sigma: 0.2, theta: -0.2, nu: 0.3 })
  const dear = quotes.map((quote, i) => (i === 4 ? { ...quote, price: 500 } : quote))
  assert.throws(() => varianceGammaCalibration(market, dear), { parameter: 'quotes.4.price' })
  const price = blackScholes({ ...market, strike: 100, maturity: 1, volatility: 0.2, type: 'call' })
  const both = { strike: 100, maturity: 1, price, impliedVolatility: 0.2, type: 'call', weight: 1 } as const
  assert.throws(() => varianceGammaCalibration(market, [...quotes, both]), { parameter: 'quotes.75' })
})
