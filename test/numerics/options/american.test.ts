/** Laws of American options: bounds, shape, symmetry, a binomial tree, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceCases } from '../../../src/app/cli/selftest/vectors.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { americanBoundary, drawnBoundary } from '../../../src/numerics/options/american/american-boundary.ts'
import { americanImpliedVolatility } from '../../../src/numerics/options/american/american-implied-volatility.ts'
import {
  type AmericanOption,
  americanOption as priced,
} from '../../../src/numerics/options/american/american-option.ts'
import type { BlackScholesInput } from '../../../src/numerics/options/black-scholes.ts'
import { blackScholesGreeks } from '../../../src/numerics/options/black-scholes-greeks.ts'
import { optionOf } from '../../../src/numerics/results/black-scholes.ts'
import { table } from '../table.ts'
import { brokenAmericanLaw } from './american-laws.ts'
import { plain } from './inputs.ts'

/** With Greeks, which are absent at kinks only. */
const americanOption = (input: BlackScholesInput) => priced(input) as Required<AmericanOption>

const option: BlackScholesInput = { ...plain, type: 'put' }
/** Every kind of region: one boundary from the strike or below, none, two, and two that met. */
const markets = [
  { rate: 0.05, dividendYield: 0.02 },
  { rate: 0.05, dividendYield: 0.05 },
  { rate: 0.03, dividendYield: 0.032 },
  { rate: 0.01, dividendYield: 0.08 },
  { rate: 0, dividendYield: -0.03 },
  { rate: 0, dividendYield: 0 },
  { rate: -0.01, dividendYield: 0.02 },
  { rate: -0.01, dividendYield: -0.05 },
  { rate: -0.04, dividendYield: -0.05 },
]
const near = (got: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(got - expected) <= tolerance, `${got} is not within ${tolerance} of ${expected}`)
const payoff = ({ spot, strike, type }: BlackScholesInput) =>
  Math.max(type === 'put' ? strike - spot : spot - strike, 0)

test('a price is not below the payoff nor the European price, convex in the spot, and rises with maturity and volatility', () => {
  for (const market of markets)
    for (const type of ['call', 'put'] as const) {
      const spots = Array.from({ length: 25 }, (_, i) => 10 + 10 * i)
      const found = spots.map((spot) => americanOption({ ...option, ...market, type, spot }))
      found.forEach(({ price, europeanPrice, premium, delta, gamma }, i) => {
        assert.ok(price >= payoff({ ...option, type, spot: spots[i] }) && price >= europeanPrice)
        assert.ok(premium >= 0 && gamma >= 0)
        near(price - europeanPrice, premium, 1e-12 * price + 1e-300)
        assert.ok(type === 'call' ? delta >= 0 : delta <= 0)
      })
      for (let i = 1; i < spots.length - 1; i++)
        assert.ok(found[i - 1].price + found[i + 1].price >= 2 * found[i].price * (1 - 1e-10))
      for (const change of [{ maturity: 2 }, { volatility: 0.25 }])
        assert.ok(
          americanOption({ ...option, ...market, ...change, type }).price >=
            americanOption({ ...option, ...market, type }).price * (1 - 1e-10),
        )
    }
})

test('a call is the put with spot and strike, rate and yield exchanged, and prices scale with the currency', () => {
  for (const { rate, dividendYield } of markets) {
    const put = americanOption({ ...option, rate, dividendYield })
    const exchanged = {
      spot: 105,
      strike: 100,
      rate: dividendYield,
      dividendYield: rate,
      type: 'call',
    } as const
    near(americanOption({ ...option, ...exchanged }).price, put.price, 1e-13 * put.price)
    near(
      americanOption({ ...option, rate, dividendYield, spot: 1, strike: 1.05 }).price,
      put.price / 100,
      1e-14 * put.price,
    )
  }
})

test('the laws hold at reference vectors', () => {
  for (const { input } of referenceCases<{ input: Parameters<typeof optionOf>[0] }>('american_premium').slice(
    0,
    60,
  )) {
    const given = optionOf(input)
    assert.equal(brokenAmericanLaw(given), undefined, JSON.stringify(given))
  }
})

test('price, delta and gamma are those of a binomial tree with that many steps, to its error', () => {
  for (const market of markets)
    for (const type of ['call', 'put'] as const) {
      const given = { ...option, ...market, type }
      const { price } = americanOption(given)
      // Two trees of neighbouring numbers of steps err to opposite sides.
      const tree = 0.5 * (binomial(given, 800) + binomial(given, 801))
      near(tree, price, 3e-4 * price)
    }
})

/** Cox, Ross & Rubinstein (1979), with exercise wherever it pays. */
function binomial(given: BlackScholesInput, steps: number): number {
  const { spot, rate, dividendYield, volatility, maturity } = given
  const step = maturity / steps
  const up = Math.exp(volatility * Math.sqrt(step))
  const share = (Math.exp((rate - dividendYield) * step) - 1 / up) / (up - 1 / up)
  const decay = Math.exp(-rate * step)
  const at = (level: number, ups: number) => payoff({ ...given, spot: spot * up ** (2 * ups - level) })
  const values = Array.from({ length: steps + 1 }, (_, ups) => at(steps, ups))
  for (let level = steps - 1; level >= 0; level--)
    for (let ups = 0; ups <= level; ups++)
      values[ups] = Math.max(decay * (share * values[ups + 1] + (1 - share) * values[ups]), at(level, ups))
  return values[0]
}

test('delta, gamma and theta are the derivatives of the price', () => {
  for (const market of markets)
    for (const type of ['call', 'put'] as const) {
      const at = (change: object) => americanOption({ ...option, ...market, type, ...change })
      const { price, delta, gamma, theta } = at({})
      const [below, above] = [at({ spot: 99.9 }), at({ spot: 100.1 })]
      near((above.price - below.price) / 0.2, delta, 1e-5)
      near((above.price + below.price - 2 * price) / 0.01, gamma, 1e-5)
      near((at({ maturity: 0.999 }).price - at({ maturity: 1.001 }).price) / 0.002, theta, 1e-4)
    }
})

test('vega, rho and dividend rho are the derivatives of the price', () => {
  for (const market of markets)
    for (const type of ['call', 'put'] as const)
      for (const spot of [80, 100, 130]) {
        const given = { ...option, ...market, type, spot }
        const { vega, rho, dividendRho } = americanOption(given)
        const slope = (name: 'rate' | 'dividendYield' | 'volatility', step: number) => {
          const at = (count: number) => americanOption({ ...given, [name]: given[name] + count * step }).price
          return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)
        }
        near(slope('volatility', 1e-3), vega, 1e-6)
        // At rates of 0 a boundary begins, and differences of rates converge as an inverse logarithm.
        if (market.rate === 0 && market.dividendYield === 0) continue
        near(slope('rate', 1e-4), rho, 1e-5)
        near(slope('dividendYield', 1e-4), dividendRho, 1e-5)
      }
})

test('an option that is exercised depends on neither volatility nor rates, one that never is has the European Greeks', () => {
  for (const [given, exercised] of [
    [option, { ...option, spot: 70 }],
    [
      { ...option, dividendYield: 0 },
      { ...option, dividendYield: 0.08, type: 'call', spot: 200 },
    ],
  ] as const) {
    const { vega, rho, dividendRho } = americanOption(exercised)
    assert.deepEqual([vega, rho, dividendRho], [0, 0, 0])
    const never = { ...given, type: 'call', dividendYield: 0 } as const
    const found = americanOption(never)
    const european = blackScholesGreeks(never)
    assert.deepEqual([found.vega, found.rho], [european.vega, european.rho])
    near(found.dividendRho, -never.maturity * never.spot * european.delta, 1e-13)
  }
})

test('vega, rho and dividend rho keep to the scaling of time, where no difference of prices has their digits', () => {
  // σ·∂V/∂σ = 2(T·∂V/∂T − r·∂V/∂r − q·∂V/∂q), because the value depends on r/σ², q/σ² and σ²·T.
  for (const market of [
    ...markets,
    { rate: 0.0351, dividendYield: 0.0351004, volatility: 0.1, maturity: 0.03 },
    { rate: 0.05, dividendYield: 0.02, volatility: 0.02, spot: 104 },
    { rate: 0.05, dividendYield: 0.02, maturity: 0.003, spot: 103 },
    { rate: 0.05, dividendYield: 0.02, maturity: 900, volatility: 0.1 },
    { rate: 0.05, dividendYield: 0.06, spot: 400 },
  ])
    for (const type of ['call', 'put'] as const) {
      const given = { ...option, ...market, type }
      const { theta, vega, rho, dividendRho } = americanOption(given)
      const { rate, dividendYield, maturity, volatility } = given
      const terms = [-maturity * theta, -rate * rho, -dividendYield * dividendRho]
      const size = Math.max(...terms.map(Math.abs), volatility * vega)
      near(volatility * vega, 2 * (terms[0] + terms[1] + terms[2]), 1e-7 * size)
    }
})

test('at maturity the Greeks of a rate are 0, and without volatility those of the discounted payoff', () => {
  const spent = americanOption({ ...option, maturity: 0 })
  assert.deepEqual([spent.vega, spent.rho, spent.dividendRho], [0, 0, 0])
  const flat = { ...option, volatility: 0, rate: 0.02, dividendYield: 0.08 }
  const { vega, rho, dividendRho } = americanOption(flat)
  const at = (change: object) => americanOption({ ...flat, ...change }).price
  near((at({ rate: 0.02 + 1e-6 }) - at({ rate: 0.02 - 1e-6 })) / 2e-6, rho, 1e-5)
  near((at({ dividendYield: 0.08 + 1e-6 }) - at({ dividendYield: 0.08 - 1e-6 })) / 2e-6, dividendRho, 1e-5)
  assert.equal(vega, 0)
})

test('at a critical price the option is worth its payoff, whose slope it has; beside it, it is held', () => {
  for (const market of markets)
    for (const type of ['call', 'put'] as const) {
      const [critical] = americanBoundary({ ...option, ...market, type }, [1])
      critical.forEach((spot, i) => {
        // Exercise is above the first of two prices.
        const outward = (type === 'put') === (critical.length === 1 || i === 1) ? 1 : -1
        const held = americanOption({ ...option, ...market, type, spot: spot * (1 + 1e-4 * outward) })
        near(held.price, payoff({ ...option, type, spot: spot * (1 + 1e-4 * outward) }), 1e-5)
        near(held.delta, type === 'put' ? -1 : 1, 2e-3)
        assert.ok(held.gamma > 0)
        const exercised = americanOption({ ...option, ...market, type, spot: spot * (1 - 1e-4 * outward) })
        assert.deepEqual([exercised.delta, exercised.gamma, exercised.theta], [type === 'put' ? -1 : 1, 0, 0])
      })
    }
})

test('prices before and after two boundaries meet are those of finite differences of the obstacle problem', () => {
  for (const { price, ...input } of table<BlackScholesInput & { price: number }>('american-two-boundaries'))
    near(americanOption(input).price, price, 5e-9 * price)
})

test('a price below two boundaries at a volatility without effect is that without volatility', () => {
  const put = { ...option, spot: 10, strike: 100, rate: -0.01, dividendYield: -0.05, maturity: 100 }
  const call = {
    ...put,
    type: 'call' as const,
    spot: 100,
    strike: 10,
    rate: put.dividendYield,
    dividendYield: put.rate,
  }
  for (const input of [{ ...put, type: 'put' as const }, call])
    for (const volatility of [1e-60, 1e-77, 1e-100, 1e-150])
      near(americanOption({ ...input, volatility }).price, 95.13656920021768, 1e-11 * 95)
})

test('a price keeps its digits with a yield slightly above the rate and a long maturity', () => {
  // By 60 to 160 nodes of the same boundary, which agree to 1e-12.
  const long = { ...option, strike: 100, rate: 0.1, dividendYield: 0.1005, volatility: 0.5 }
  near(americanOption({ ...long, spot: 120, maturity: 30 }).price, 34.0442909635, 3e-11 * 34)
  near(americanOption({ ...long, spot: 140, rate: 0.0995, maturity: 70 }).price, 31.58647615625, 3e-11 * 31)
})

test('a yield so slightly above the rate that the boundary begins almost at the strike is no reason to refuse', () => {
  // By the differential equation of vectors/american_premium.c.
  const close = {
    rate: 0.07806012957339818,
    dividendYield: 0.07807636258091741,
    volatility: 0.24993015406930816,
  }
  const input = { ...option, ...close, spot: 86.88946105722628, strike: 100, maturity: 5.353812290350426 }
  near(americanOption(input).price, 22.72614722824423, 1e-10 * 22)
})

test('a price keeps its digits with a negative yield, also where drift and variance balance', () => {
  // By the equation of values in 120 bits (test/numerics/sweep/american_option.py).
  const long = { ...option, strike: 100, volatility: 0.5 }
  const balanced = { ...long, spot: 65, rate: 0.0001, dividendYield: -0.126, maturity: 59 }
  near(americanOption(balanced).price, 61.425379450295381, 1e-10 * 61)
  const far = { ...long, spot: 1200, rate: 0.064, dividendYield: -0.108, maturity: 143 }
  near(americanOption(far).price, 2.6239500729685403, 1e-10 * 2.6)
})

test('a price far from two boundaries that meet before maturity keeps its digits', () => {
  // By the equation of values in 120 bits (test/numerics/sweep/american_option.py).
  const put = {
    ...option,
    spot: 64080.69776433398,
    strike: 100,
    rate: -0.017532583464505463,
    dividendYield: -0.04961538173101756,
    volatility: 0.6949354570545941,
    maturity: 3.79659656607703,
  }
  near(americanOption(put).price, 3.482216782532414e-4, 1e-11 * 3.48e-4)
  const call = {
    ...option,
    type: 'call' as const,
    spot: 0.31386958013994454,
    strike: 100,
    rate: -0.021950207190752056,
    dividendYield: -0.017546676738432566,
    volatility: 0.5045771767618756,
    maturity: 3.4160412522027226,
  }
  near(americanOption(call).price, 2.234755726013601e-10, 1e-11 * 2.23e-10)
})

test('a price keeps its digits where a negative yield carries the spot far beyond two boundaries', () => {
  // By finite differences of the obstacle problem, which are right to about 1e-7.
  const far = { ...option, strike: 100, volatility: 0.2 }
  const below = {
    ...far,
    spot: 0.5052742459,
    rate: -0.0013657575,
    dividendYield: -0.145683012,
    maturity: 243,
  }
  near(americanOption(below).price, 99.75047, 1e-4)
  const further = { ...far, spot: 0.00876667621, rate: -0.001862890715, dividendYield: -0.11675925587 }
  near(americanOption({ ...further, maturity: 274.37643473 }).price, 109.07306, 1e-4)
  for (const given of [below, { ...further, maturity: 274.37643473 }]) {
    const { price, delta } = americanOption(given)
    const beside = americanOption({ ...given, spot: given.spot * (1 + 1e-6) }).price
    near(beside, price + 1e-6 * given.spot * delta, 1e-11 * price)
    assert.equal(brokenAmericanLaw(given), undefined)
  }
})

test('an option that drift of many deviations carries into two boundaries keeps its digits however long its maturity', () => {
  const call = {
    spot: 100,
    strike: 51.49874526526846,
    rate: -0.06718886618558517,
    dividendYield: -0.04454090336510033,
    volatility: 0.001,
    type: 'call',
  } as const
  const put = {
    ...call,
    spot: call.strike,
    strike: call.spot,
    rate: call.dividendYield,
    dividendYield: call.rate,
    type: 'put',
  } as const
  for (const given of [call, put]) {
    // Drift brings the spot to the first boundary within 11.2 years, give or take 0.15.
    const { europeanPrice, premium, theta, ...once } = americanOption({ ...given, maturity: 12.5 })
    for (const maturity of [15, 50, 100]) {
      const later = americanOption({ ...given, maturity })
      for (const [name, expected] of Object.entries(once))
        near(later[name as keyof typeof once], expected, 1e-10 * Math.abs(expected))
      near(later.theta, 0, 1e-12)
    }
  }
  // By binomial trees of 8,000 steps, which are right to about 1e-7.
  near(americanOption({ ...call, maturity: 100 }).price, 55.3885685, 1e-6)
  const slow = { ...option, strike: 641.9935069075594, rate: -0.01, dividendYield: -0.05, maturity: 100 }
  near(americanOption({ ...slow, volatility: 0.0006644097939095763 }).price, 546.71496, 1e-4)
})

test('the premium of an exercised option keeps its digits where the European option is nearly worthless', () => {
  const carried = {
    ...option,
    strike: 100,
    rate: -0.002,
    dividendYield: -0.12,
    volatility: 0.2,
    maturity: 270,
  }
  for (const given of [carried, { ...carried, rate: -0.12, dividendYield: -0.002, type: 'call' as const }]) {
    const { price, europeanPrice, premium, gamma } = americanOption({
      ...given,
      spot: given.type === 'put' ? 60 : 160,
    })
    assert.deepEqual([price, gamma], [given.type === 'put' ? 40 : 60, 0])
    near(premium, price - europeanPrice, 1e-13 * price)
  }
})

test('negative rates that are nearly equal are no reason to refuse', () => {
  for (const dividendYield of [-0.0001, -0.005, -0.02])
    for (const share of [1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12, 1e-14])
      for (const [volatility, maturity] of [
        [0.05, 1],
        [0.5, 0.3],
        [0.2, 3],
      ]) {
        const given = { ...option, rate: dividendYield * (1 - share), dividendYield, volatility, maturity }
        const { price, europeanPrice } = americanOption(given)
        // Exercise earns at most the difference of the rates, until the boundaries have met.
        assert.ok(price - europeanPrice <= 105 * share * -dividendYield * maturity * 1.1, `${share}`)
        const [lower, upper] = americanBoundary(given, [1e-6 * share * share * maturity])[0]
        assert.ok(lower >= 105 * (1 - share) * (1 - 1e-15) && lower < upper && upper <= 105, `${share}`)
      }
})

test('at a rate of 0 a price and a boundary are those of a rate next to it, over any usual horizon', () => {
  // By a binomial tree with Black–Scholes smoothing and Richardson extrapolation.
  const long = { ...option, strike: 100, rate: 0, dividendYield: -0.02, volatility: 1, maturity: 15 }
  near(americanOption(long).price, 93.91250427, 2e-6)
  const call = { ...long, rate: -0.02, dividendYield: 0, type: 'call' } as const
  near(americanOption(call).price, americanOption(long).price, 1e-9)
  for (const dividendYield of [-0.005, -0.02, -0.1, -0.3, -0.5, -0.7, -2])
    for (const maturity of [1, 9, 12, 15, 20, 30]) {
      const there = americanOption({ ...long, dividendYield, maturity })
      assert.ok(there.price >= there.europeanPrice && there.price < 100)
      // The exact price falls as the rate rises, by less than strike·maturity a unit.
      const beside = { ...long, dividendYield, maturity, rate: 1e-12 }
      if (maturity < 10) near(americanOption(beside).price, there.price, 100 * maturity * 1e-12 + 1e-9)
      const [critical] = americanBoundary({ ...long, dividendYield, maturity }, [maturity])
      const exercised = americanOption({ ...long, dividendYield, maturity, spot: critical[0] * 0.999 })
      assert.equal(exercised.delta, -1)
    }
  // The perpetual put with the power 3 that a yield of −2 variances gives.
  near(americanOption({ ...long, dividendYield: -2, maturity: 300 }).price, 25 * 0.75 ** 3, 1e-8)
})

test('an option from which much drift leads away is worth nothing, whatever its drift reaches', () => {
  const away = { ...option, spot: 105, strike: 100, volatility: 0.001, maturity: 2 }
  assert.equal(americanOption(away).price, 0)
  const call = { ...away, spot: 100, strike: 105, rate: 0.02, dividendYield: 0.05, type: 'call' } as const
  assert.equal(americanOption(call).price, 0)
  // Drift towards the boundary is still refused where it arrives just at maturity.
  assert.ok(americanOption({ ...away, volatility: 0.05 }).price > 0)
})

test('a volatility in whose units both rates are beyond every double is refused', () => {
  const little = { ...option, rate: -0.01, dividendYield: -0.02, volatility: 1e-200 }
  assert.throws(() => americanOption(little), /cannot be computed to the stated error/)
})

test('without volatility the option is exercised when its discounted payoff is largest', () => {
  const flat = { ...option, volatility: 0, rate: 0.02, dividendYield: 0.08 }
  const payoffs = Array.from(
    { length: 100001 },
    (_, i) => 105 * Math.exp(-0.02e-5 * i) - 100 * Math.exp(-0.08e-5 * i),
  )
  near(americanOption(flat).price, Math.max(...payoffs), 1e-9)
  assert.deepEqual(americanBoundary(flat, [0, 1]), [[26.25], [26.25]])
  // Next to nothing, at maturity.
  const least = {
    ...flat,
    spot: 99.0049833749187,
    strike: 100,
    rate: -0.01,
    dividendYield: -0.02,
    type: 'call',
  } as const
  const { price, premium } = americanOption(least)
  near(price, 1.9273209575338e-12, 1e-22)
  assert.equal(premium, 0)
  const kink = { ...flat, spot: 105, rate: 0.08, dividendYield: 0.02 }
  for (const at of [kink, { ...kink, volatility: 0.2, maturity: 0 }]) {
    const { price, delta, gamma, theta } = priced(at)
    assert.deepEqual([price, delta, gamma, theta], [0, undefined, undefined, undefined])
  }
})

test('a critical price is the same whether its time is the maturity or earlier, also where both rates are small', () => {
  for (const [rate, dividendYield, volatility, maturity, type] of [
    [0.0048167, 0.0025498, 1.13, 0.12, 'call'],
    [4.34e-11, 1.24e-6, 1, 38.6, 'put'],
    [3.3e-5, 5.4e-5, 1, 0.13, 'put'],
    [0.05, 0.02, 0.2, 1, 'put'],
    [-0.01, -0.05, 0.2, 1, 'put'],
  ] as const)
    for (const share of [0.51, 0.7, 0.93]) {
      const longer = { ...option, rate, dividendYield, volatility, maturity, type }
      const [early] = americanBoundary(longer, [share * maturity])
      const [last] = americanBoundary({ ...longer, maturity: share * maturity }, [share * maturity])
      assert.equal(early.length, last.length)
      early.forEach((price, i) => {
        near(price, last[i], 1e-8 * price)
      })
      const [drawn] = drawnBoundary(longer, [share * maturity])
      near(drawn[0], last[0], 1e-4 * last[0])
    }
})

test('a critical price above every double is refused', () => {
  const call = { ...option, type: 'call' as const, strike: 50, maturity: 0.05, rate: 2e-17, volatility: 0.05 }
  for (const time of [0, 0.05])
    assert.throws(() => americanBoundary({ ...call, dividendYield: 5e-324 }, [time]), DomainError)
  assert.ok(Number.isFinite(americanBoundary({ ...call, dividendYield: 1e-310 }, [0])[0][0]))
})

test('an implied volatility gives the price back; the payoff has 0; what no volatility reaches is refused', () => {
  for (const market of markets)
    for (const volatility of [0.1, 0.2, 0.7]) {
      const { price, gamma } = americanOption({ ...option, ...market, volatility })
      if (gamma === 0) continue
      near(americanImpliedVolatility({ ...option, ...market, price }), volatility, 1e-9)
    }
  assert.equal(americanImpliedVolatility({ ...option, price: 5 }), 0)
  assert.throws(() => americanImpliedVolatility({ ...option, price: 4.9 }), /largest discounted payoff/)
  assert.throws(() => americanImpliedVolatility({ ...option, price: 105 }), /only an infinite/)
})

test('an implied volatility beside volatilities without a price is refused, or gives the price back', () => {
  const call = { ...option, spot: 50, strike: 68, maturity: 0.6, dividendYield: 0, type: 'call' as const }
  for (const rate of [-2.6e-105, -1e-20, -1e-12, 1e-105])
    for (const price of [0.1, 0.5436756557735396, 4]) {
      const quote = { ...call, rate, price }
      try {
        near(americanOption({ ...quote, volatility: americanImpliedVolatility(quote) }).price, price, 1e-9)
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
      }
    }
})

test('the largest volatilities make the price that of the strike (put) or spot (call), if exercise earns anything', () => {
  for (const volatility of [1e8, 1e100, 1e155, 1e300, Number.MAX_VALUE]) {
    near(americanOption({ ...option, volatility }).price, 105, 1e-9)
    near(americanOption({ ...option, volatility, type: 'call' }).price, 100, 1e-9)
    const never = { ...option, volatility, rate: -0.01 }
    near(americanOption(never).price, 105 * Math.exp(0.01), 1e-9)
  }
})

test('a quote at the payoff has the volatility 0 in every unit of currency', () => {
  for (const unit of [1e-6, 1e-3, 1, 1e3, 1e6])
    for (const [spot, strike, price] of [
      [95, 105, 10],
      [0.9, 1.1, 0.2],
    ]) {
      const quote = { ...option, spot: spot * unit, strike: strike * unit, price: price * unit }
      assert.equal(americanImpliedVolatility(quote), 0, `${quote.price} at ${quote.spot}`)
    }
})

test('an option that is exercised before maturity is the perpetual one, which longer maturities approach', () => {
  for (const dividendYield of [0, 0.049, 0.08])
    for (const type of ['call', 'put'] as const) {
      const given = { ...option, volatility: 0.1, dividendYield, type, spot: type === 'put' ? 130 : 60 }
      const perpetual = { ...given, maturity: 1e9 }
      if (type === 'call' && dividendYield === 0) continue
      const { price, delta, gamma, theta } = americanOption(perpetual)
      const own = type === 'put' ? [0.05, dividendYield] : [dividendYield, 0.05]
      const carry = (own[0] - own[1]) / 0.01 - 0.5
      const power = carry + Math.sqrt(carry ** 2 + (2 * own[0]) / 0.01)
      const [amount, ratio] = type === 'put' ? [105, 130 / 105] : [60, 105 / 60]
      near(price, (amount / (1 + power)) * (ratio * (1 + 1 / power)) ** -power, 1e-12 * price)
      near(
        americanOption({ ...perpetual, spot: perpetual.spot * 1.0001 }).price,
        price * (1 + 1e-4 * (delta / price) * perpetual.spot),
        1e-5 * price,
      )
      assert.ok(gamma > 0 && theta === 0)
      near(americanOption({ ...given, maturity: 200 }).price, price, 1e-2 * price)
      near(americanOption({ ...given, maturity: 700 }).price, price, 1e-9 * price)
    }
})

test('a price keeps its digits where the boundary of the perpetual option is next to the strike', () => {
  for (const volatility of [1e-3, 1e-4, 1e-6, 1e-40]) {
    const power = (2 * 0.05) / volatility ** 2
    const perpetual = (100 / (1 + power)) * Math.exp(-power * Math.log1p(1 / power))
    const { price } = americanOption({ ...option, strike: 100, volatility, dividendYield: 0, maturity: 10 })
    near(price, perpetual, 1e-13 * perpetual)
  }
})

test('drift of many deviations needs no more volatility or time, but where it reaches the boundary just at maturity', () => {
  const drifting = { ...option, rate: 0.02, dividendYield: 0.08, spot: 110, volatility: 1e-3 }
  near(
    americanOption({ ...drifting, maturity: 1e9 }).price,
    americanOption({ ...drifting, volatility: 0, maturity: 1e9 }).price,
    1e-3,
  )
  const { price, europeanPrice } = americanOption({ ...drifting, maturity: 10 })
  assert.equal(price, europeanPrice)
  assert.throws(() => americanOption({ ...drifting, maturity: 24 }), /just at maturity/)
  assert.deepEqual(americanOption({ ...option, volatility: 1e-4 }).price, 5)
  assert.equal(americanOption({ ...drifting, rate: 0, dividendYield: -0.08, maturity: 10 }).price, 0)
})

test('two boundaries are refused, not given as their limits, at a volatility of which rates are no part', () => {
  const both = { ...option, rate: -0.1, dividendYield: -0.2 }
  for (const volatility of [1e150, 1e200, 1.7e308])
    assert.throws(() => americanBoundary({ ...both, volatility }, [0.5, 1]), /is too small or too large/)
})

test('a time beyond the maturity is refused by its place', () => {
  assert.throws(
    () => americanBoundary(option, [0.5, 1.1]),
    (error) => error instanceof DomainError && error.parameter === 'times.1',
  )
})

test('a put at a rate of 0 or nearly 0 has a price at long times, to the price of a binomial tree', () => {
  // Binomial trees of 1,000 and 2,000 steps, smoothed by Black–Scholes at the last step, extrapolated.
  for (const [rate, dividendYield, maturity, tree] of [
    [0, -0.1, 60, 99.84930456786013],
    [0, -0.1, 120, 99.99911484951416],
    [0, -0.0001, 99, 99.99993443856928],
    [1e-9, -0.02, 15, 93.91256991809601],
    [1e-6, -0.0001, 60, 99.98649730292054],
  ]) {
    const option = { spot: 100, strike: 100, rate, dividendYield, volatility: 1, maturity }
    near(americanOption({ ...option, type: 'put' }).price, tree, 1e-6 * tree)
    const call = { ...option, rate: dividendYield, dividendYield: rate, type: 'call' } as const
    near(americanOption(call).price, tree, 1e-6 * tree)
  }
})

test('a put below a boundary that is known for a part of the time only has no price less than with exercise', () => {
  // Lower bounds by exercise at one time before maturity, with 160 bits.
  for (const [spot, rate, maturity, least] of [
    [6.3e-4, 1e-8, 40, 99.9998929775],
    [1.3e-4, 1e-10, 60, 99.99999654193],
    [6e-4, 1e-8, 12, 99.99940809],
  ]) {
    const option = {
      spot,
      strike: 100,
      rate,
      dividendYield: -1e-4,
      volatility: 1,
      maturity,
      type: 'put',
    } as const
    let price = Number.POSITIVE_INFINITY
    try {
      price = americanOption(option).price
    } catch (error) {
      assert.ok(error instanceof DomainError)
    }
    assert.ok(price >= least * (1 - 1e-10), `${spot}: ${price}`)
  }
})

test('a rate that moves no digit of a price gives the price at a rate of 0', () => {
  for (const dividendYield of [0, -0.02, -0.1]) {
    const option = {
      spot: 100,
      strike: 100,
      dividendYield,
      volatility: 0.5,
      maturity: 60,
      type: 'put',
    } as const
    assert.equal(
      americanOption({ ...option, rate: 1e-300 }).price,
      americanOption({ ...option, rate: 0 }).price,
    )
  }
})

test('a refusal says up to which values can be computed', () => {
  const little = { ...option, rate: -0.01, dividendYield: -0.02, volatility: 1e-200 }
  assert.throws(() => americanOption(little), /at most 15 and .* at most 60$/)
})

test('no put at a rate of 0 or nearly 0 is refused for its maturity, and its call neither', () => {
  for (const rate of [0, 1e-10, 1e-6])
    for (const dividendYield of [-0.4, -0.02, -1e-4])
      for (const maturity of [15, 300]) {
        const put = { ...option, spot: 100, strike: 100, rate, dividendYield, volatility: 1, maturity }
        const { price, europeanPrice, delta, gamma } = americanOption(put)
        assert.ok(price >= europeanPrice && price <= 100 && delta <= 0 && gamma >= 0)
        const call = { ...put, rate: dividendYield, dividendYield: rate, type: 'call' } as const
        near(priced(call).price, price, 1e-12 * price)
      }
})

test('long puts at a rate of nearly 0 have the price of finite differences of the obstacle problem', () => {
  // Policy iteration on three grids, extrapolated twice.
  for (const [rate, dividendYield, maturity, price] of [
    [1e-8, -0.02, 99, 99.99979119],
    [0, -0.4, 120, 92.23694063],
    [1e-10, -1e-4, 30, 99.38209402],
  ]) {
    const put = { ...option, spot: 100, strike: 100, rate, dividendYield, volatility: 1, maturity }
    near(americanOption(put).price, price, 3e-6)
  }
})

test('the rho at a rate of 0 is the limit of differences', () => {
  for (const [dividendYield, maturity] of [
    [-0.02, 30],
    [-1e-4, 30],
    [-0.1, 99],
  ]) {
    const at = (rate: number) =>
      americanOption({ ...option, spot: 100, strike: 100, rate, dividendYield, volatility: 1, maturity })
    const differences = [1e-8, 1e-9].map((rate) => (at(rate).price - at(0).price) / rate)
    const { rho } = at(0)
    assert.ok(rho < differences[1] && differences[1] < differences[0], `${rho} ${differences}`)
    near(rho, differences[1], 0.02 * Math.abs(rho))
  }
})

test('between two boundaries that do not meet, the put is worth its payoff at both, however long it lasts', () => {
  for (const [rate, dividendYield] of [
    [-0.5, -3],
    [-0.5, -2.2],
    [-0.3, -2],
    [-0.1, -1.1],
    [-2, -8],
    [-1e-4, -0.55],
  ])
    for (const maturity of [10, 1000]) {
      const put = { ...option, strike: 100, rate, dividendYield, volatility: 1, maturity }
      const [critical] = americanBoundary(put, [maturity])
      assert.equal(critical.length, 2)
      critical.forEach((spot, i) => {
        const beside = spot * (i === 1 ? 1 + 1e-7 : 1 - 1e-7)
        const { price, europeanPrice, premium } = americanOption({ ...put, spot: beside })
        near(europeanPrice + premium, 100 - beside, 1e-9 * price)
        near(americanOption({ ...put, spot: spot * (i === 1 ? 0.999 : 1.001) }).delta, -1, 0)
      })
    }
})

test('the Greeks of an option without an end in sight are those of a perpetual one, also where spot · maturity overflows', () => {
  for (const type of ['call', 'put'] as const) {
    const input = { ...option, dividendYield: type === 'call' ? 0.02 : 0, type }
    const perpetual = americanOption({ ...input, maturity: 1e6 })
    assert.ok(Object.values(perpetual).every(Number.isFinite))
    assert.deepEqual(americanOption({ ...input, maturity: 1e308 }), perpetual)
  }
})
