/** Fits of Variance Gamma to surfaces of quotes whose parameters are known, or that have none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budgetLeft, withinBudget } from '../../../src/numerics/budget.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import type { Quote } from '../../../src/numerics/options/calibration/calibration-quotes.ts'
import {
  varianceGammaByMaturity,
  varianceGammaCalibration,
} from '../../../src/numerics/options/calibration/variance-gamma-calibration.ts'
import { calibrationMicros } from '../../../src/numerics/options/calibration/variance-gamma-search.ts'
import { varianceGammaSmile } from '../../../src/numerics/options/calibration/variance-gamma-smile.ts'
import { varianceGammaGreeks } from '../../../src/numerics/options/variance-gamma-greeks.ts'
import { ROUGH_KINDS, roughMarket, roughSurfaces } from './rough-surfaces.ts'
import { market, surfaces } from './variance-gamma-surfaces.ts'

const { between, drawn, surface } = surfaces(11)
/** The best of 30 starts of scipy (vectors/variance_gamma_starts.py). */
const SCIPY_RMSE = [
  0.027578494087897195, 0.006147268912405635, 0.8269862771723495, 0.0981786494514612, 0.3042140670381502,
  1.8389287088143798,
]
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
    const into = {
      value: list(),
      bySigma: list(),
      byTheta: list(),
      byNu: list(),
    }
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
  assert.throws(() => varianceGammaCalibration(market, [...quotes, both]), { parameter: 'quotes.75.price' })
})

test('quotes whose prices have six digits at most at any parameters are refused', () => {
  const quoteAt = (strike: number, maturity: number, impliedVolatility: number): Quote => ({
    strike,
    maturity,
    impliedVolatility,
    type: 'call',
    weight: 1,
  })
  const ordinary = [0.25, 0.235, 0.22, 0.21].map((volatility, i) => quoteAt(80 + 10 * i, 0.5, volatility))
  const extreme = [...ordinary, quoteAt(120, 2.2377006438391e-57, 39.13437129774329)]
  assert.throws(() => varianceGammaCalibration({ spot: 100, rate: 0.05, dividendYield: 0 }, extreme), {
    parameter: 'quotes',
    message: /too extreme/,
  })
})

test('the minimum of seven quotes is the least of thirty starts of scipy, across a strike that the singularity passes', () => {
  const quotes = [
    [75.26, 0.4118],
    [81.04, 0.352],
    [85.52, 0.3347],
    [96.74, 0.2622],
    [107.98, 0.2148],
    [115.09, 0.1934],
    [133.85, 0.1652],
  ].map(
    ([strike, impliedVolatility]): Quote => ({
      strike,
      impliedVolatility,
      maturity: 1,
      type: 'call',
      weight: 1,
    }),
  )
  const { rmse } = varianceGammaCalibration({ spot: 100, rate: 0.02, dividendYield: 0 }, quotes)
  assert.ok(rmse <= 0.43596034 * (1 + 1e-6), String(rmse))
})

test('rough surfaces reach the minima that random starts find', () => {
  const next = roughSurfaces(2)
  const found = ROUGH_KINDS.map((kind) => varianceGammaCalibration(roughMarket, next(kind)).rmse)
  const third = roughSurfaces(3)
  const surfaces = Array.from({ length: 865 }, (_, i) => third(ROUGH_KINDS[i % ROUGH_KINDS.length]))
  // Its second least minimum is at 1.84321, on the other side of a quoted strike.
  found.push(varianceGammaCalibration(roughMarket, surfaces[864]).rmse)
  for (const [i, rmse] of found.entries())
    assert.ok(rmse <= SCIPY_RMSE[i] * (1 + 1e-6), `${i}: ${rmse} instead of ${SCIPY_RMSE[i]}`)
})

test('each maturity has the fit of its quotes alone, and one of two quotes has none', () => {
  const quotes = surface({ sigma: 0.2, theta: -0.2, nu: 0.3 }, 0.01)
  const few = quotes.slice(0, 2).map((quote) => ({ ...quote, maturity: 0.01, price: 20 }))
  const fits = varianceGammaByMaturity(market, [...quotes.toReversed(), ...few])
  assert.deepEqual(
    fits.map(({ maturity }) => maturity),
    [0.01, 0.08, 0.25, 0.5, 1, 2],
  )
  assert.equal(fits[0].fit, undefined)
  for (const { maturity, fit } of fits.slice(1)) {
    const own = quotes.toReversed().filter((quote) => quote.maturity === maturity)
    const alone = varianceGammaCalibration(market, own)
    for (const name of [...names, 'rmse', 'standardErrors'] as const)
      assert.deepEqual(fit![name], alone[name])
  }
})

test('a fit of 2,000 maturities spends at most four times its estimate, also where most of them have no weight', () => {
  const quotes = Array.from({ length: 2_000 }, (_, i): Quote => {
    const maturity = 0.01 + i * 0.0015
    const x = ((i * 37) % 101) / 50 - 1
    const impliedVolatility = 0.2 - 0.03 * x + 0.02 * x * x + 0.01 * Math.sin(i)
    const strike = 100 * Math.exp(0.2 * Math.sqrt(maturity) * x)
    return { strike, maturity, impliedVolatility, type: 'call', weight: 1 }
  })
  const few = quotes.map((quote, i) => ({ ...quote, weight: i % 200 === 7 ? 1 : 0 }))
  for (const given of [quotes, few]) {
    const spent = withinBudget(calibrationMicros(2_000, 2_000), () => {
      const before = budgetLeft()
      assert.ok(varianceGammaCalibration(market, given).rmse > 0)
      return before - budgetLeft()
    })
    assert.ok(spent > 0)
  }
})

test('a fit goes on along a valley in which the parameters grow without bound', () => {
  // The last number is the rmse at which an earlier version ended.
  for (const [maturity, smile, ended] of [
    [
      2,
      [
        [55.59, 0.7068],
        [56.74, 0.6798],
        [130.92, 0.0962],
        [163.28, 0.0888],
      ],
      0.195200777,
    ],
    [
      0.1,
      [
        [71.7, 1.7361],
        [109.55, 0.3954],
        [126.7, 0.238],
        [140.25, 0.1669],
      ],
      0.171677664,
    ],
    [
      1,
      [
        [99.97, 0.2092],
        [117.57, 0.2392],
        [121.78, 0.2546],
        [150.7, 0.4149],
      ],
      0.3129,
    ],
  ] as const) {
    const quotes = smile.map(
      ([strike, impliedVolatility]): Quote => ({
        strike,
        maturity,
        impliedVolatility,
        type: 'call',
        weight: 1,
      }),
    )
    const { rmse, isIdentifiable } = varianceGammaCalibration(roughMarket, quotes)
    assert.ok(rmse < ended, `${rmse}`)
    assert.equal(isIdentifiable, false)
  }
})

test('a minimum beside one at volatility 0 is found, and large residuals leave the parameters identifiable', () => {
  const smiles = [
    [0.27, [94.53, 96.09, 98.64, 102.25, 104.61, 107.89], [0.127, 0.1202, 0.1066, 0.0879, 0.0715, 0.0484]],
    [0.1, [95.77, 98.07, 99.58, 100.55, 102.12, 104.66], [0.1346, 0.1191, 0.0982, 0.0949, 0.0735, 0.0443]],
  ] as const
  const types = 'pppcpcppcppp'
  const quotes = smiles.flatMap(([maturity, strikes, volatilities], i) =>
    strikes.map((strike, k): Quote => {
      const type = types[6 * i + k] === 'p' ? 'put' : 'call'
      return { strike, maturity, type, impliedVolatility: volatilities[k], weight: 1 }
    }),
  )
  // The best of 30 starts of scipy; at volatility 0 there is another minimum at 0.0493018405.
  assert.ok(varianceGammaCalibration(roughMarket, quotes).rmse < 0.0493017634113 * (1 + 1e-7))

  // Quotes that the model does not fit: steps of Gauss and Newton converge slowly, and the rmse is large.
  const stray = (strike: number, maturity: number, impliedVolatility: number): Quote => ({
    strike,
    maturity,
    type: strike < 100 ? 'put' : 'call',
    impliedVolatility,
    weight: 1,
  })
  const strays = [
    stray(85.92, 2.87, 0.1217),
    stray(91.06, 1.44, 0.125),
    stray(91.62, 1.44, 0.1429),
    stray(118.71, 1.44, 0.1215),
    stray(121.77, 2.87, 0.1161),
    stray(122.32, 1.44, 0.1825),
    stray(125.15, 2.87, 0.127),
  ]
  assert.ok(varianceGammaCalibration({ ...roughMarket, rate: 0.045 }, strays).isIdentifiable)
})
