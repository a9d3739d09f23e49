/** Laws of the Variance Gamma Greeks, and what they refuse. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFraction, seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { type VarianceGammaOption, varianceGammaCall } from '../../../src/numerics/options/variance-gamma.ts'
import { varianceGammaGreeks } from '../../../src/numerics/options/variance-gamma-greeks.ts'
import { table } from '../table.ts'
import { varianceGammaInputs } from './variance-gamma-inputs.ts'

const option: VarianceGammaOption = {
  spot: 100,
  strike: 105,
  maturity: 1,
  rate: 0.05,
  sigma: 0.2,
  theta: -0.14,
  nu: 0.2,
  dividendYield: 0.01,
  type: 'call',
}
const strikes = [40, 70, 90, 100, 105, 120, 180]
const near = (got: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(got - expected) <= tolerance, `${got} is not within ${tolerance} of ${expected}`)

test('the price of a call is that of the price endpoint, bit by bit', () => {
  for (const strike of strikes) {
    const call = { ...option, strike }
    assert.equal(varianceGammaGreeks(call).price, varianceGammaCall(call))
  }
})

test('call and put differ by the forward in price, delta and rho, and have the same model Greeks', () => {
  for (const strike of strikes) {
    const call = varianceGammaGreeks({ ...option, strike })
    const put = varianceGammaGreeks({ ...option, strike, type: 'put' })
    const [spotNow, strikeNow] = [100 * Math.exp(-0.01), strike * Math.exp(-0.05)]
    near(call.price - put.price, spotNow - strikeNow, 1e-13 * (spotNow + strikeNow))
    near(call.delta - put.delta, spotNow / 100, 4e-16)
    near(call.rho - put.rho, strikeNow, 4e-16 * strikeNow)
    for (const name of ['gamma', 'bySigma', 'byTheta', 'byNu'] as const) assert.equal(call[name], put[name])
  }
})

test('delta and gamma have the signs and bounds of a convex payoff, and rho those of a discounted strike', () => {
  for (const strike of strikes)
    for (const sigma of [0, 1e-6, 0.05, 0.4]) {
      const { delta, gamma, rho, price } = varianceGammaGreeks({ ...option, strike, sigma })
      assert.ok(delta >= 0 && delta <= 1 && gamma >= 0 && rho >= 0)
      // The price is homogeneous in spot and strike: V = S·delta − rho/T.
      near(100 * delta - rho, price, 1e-12 * (100 * delta))
    }
})

test('the Greeks tend to those of a large shape without a jump where the formula changes', () => {
  const [below, above] = [0.0066668, 0.0066666].map((nu) => varianceGammaGreeks({ ...option, nu }))
  near(below.byNu, above.byNu, 1e-4 * Math.abs(above.byNu))
})

test('the derivative by sigma keeps its digits where large jumps leave little of the vega', () => {
  for (const { exact, ...jumps } of table<VarianceGammaOption & { exact: number }>('variance-gamma-by-sigma'))
    near(varianceGammaGreeks(jumps).bySigma, exact, 1e-11 * exact)
})

test('a kink far from all of the density leaves the Greeks computable', () => {
  const put = { ...option, strike: 100, rate: 0, dividendYield: 0, type: 'put' } as const
  // To 17 digits by contour integrals (test/numerics/sweep/variance_gamma_greeks.py).
  for (const [own, exact] of [
    [
      { sigma: 0.25, theta: -75, nu: 8e-10 },
      {
        price: 9.948000767224501,
        delta: -0.4502599486860206,
        gamma: 0.0158329293244699,
        bySigma: 39.582319734666996,
        byTheta: -9.49381939016977e-6,
        byNu: 444743.355728367,
        decay: -4.948146208603055,
        rho: -54.97399563582656,
      },
    ],
    [
      { sigma: 1.5, theta: 0, nu: 1e-6, maturity: 30 },
      {
        price: 99.99600763716798,
        delta: -1.996182007593397e-5,
        gamma: 1.0517068520955634e-7,
        bySigma: 0.04732690073030495,
        byTheta: 5.324273865984746e-8,
        byNu: 0.03464476579054533,
        decay: -0.001183171363432097,
        rho: -2999.940114575267,
      },
    ],
  ] as const) {
    const found = varianceGammaGreeks({ ...put, ...own })
    for (const [name, one] of Object.entries(exact))
      near(found[name as keyof typeof exact], one, 1e-11 * Math.abs(one))
  }
})

test('a put that is exercised for certain, at a maturity of which no other case counts, has its Greeks', () => {
  const certain = { ...option, spot: 10, strike: 1, maturity: 1e10, rate: 0, dividendYield: 0 }
  const put = varianceGammaGreeks({ ...certain, type: 'put' })
  assert.deepEqual(put, {
    price: 1,
    delta: 0,
    gamma: 0,
    bySigma: 0,
    byTheta: 0,
    byNu: 0,
    decay: 0,
    rho: -1e10,
  })
  const { delta, price } = varianceGammaGreeks(certain)
  assert.deepEqual([price, delta], [10, 1])
})

test('the delta of a call that is almost surely exercised is not above that of the discounted spot', () => {
  for (const maturity of [1e3, 1e4])
    assert.ok(varianceGammaGreeks({ ...option, maturity, rate: 0.0146, dividendYield: 0 }).delta <= 1)
})

test('delta and gamma keep their digits in a unit of currency in which the price is below every double', () => {
  const unit = 2 ** -1000
  const far = { ...option, strike: 1e9 }
  const [usual, small] = [far, { ...far, spot: far.spot * unit, strike: far.strike * unit }].map(
    varianceGammaGreeks,
  )
  assert.ok(usual.delta > 0 && small.price === 0)
  near(small.delta, usual.delta, 1e-15 * usual.delta)
  near(small.gamma * unit, usual.gamma, 1e-15 * usual.gamma)
})

test('theta and rho keep their digits in a unit of currency in which the price is not a normal double', () => {
  const [unit, smallest] = [2 ** -1040, 2 ** -1074]
  for (const type of ['call', 'put'] as const)
    for (const strike of [1e-8, 80, 120, 1e6]) {
      const usual = varianceGammaGreeks({ ...option, type, strike, maturity: 1e-3 })
      const small = varianceGammaGreeks({
        ...option,
        type,
        maturity: 1e-3,
        spot: option.spot * unit,
        strike: strike * unit,
      })
      near(small.decay, usual.decay * unit, 2 * smallest)
      near(small.rho, usual.rho * unit, 2 * smallest)
    }
})

test('maturity 0, an infinite gamma and derivatives that lose digits are refused with the reason', () => {
  const refused = (changes: Partial<VarianceGammaOption>, reason: RegExp) =>
    assert.throws(
      () => varianceGammaGreeks({ ...option, ...changes }),
      (error) => error instanceof DomainError && reason.test(error.message),
    )
  refused({ maturity: 0 }, /must be greater than 0/)
  refused({ sigma: 0, theta: 0, strike: 100, rate: 0, dividendYield: 0 }, /Gamma is infinite/)
  refused({ nu: 0 }, /Black–Scholes/)
  refused({ theta: -1.1e7, nu: 1 }, /is above 1000000, where the derivatives lose digits/)
  refused({ sigma: 0.2, theta: -0.02, nu: 1e6 }, /sigma.*nu.*2 is above 10000, where the derivatives/)
})

test('price, delta and rho of any option obey V = S·delta − rho/T, however surely it is exercised', () => {
  const random = seededRandom(2026)
  const draw = varianceGammaInputs(() => randomFraction(random))
  let checked = 0
  while (checked < 1500) {
    const call = { ...draw(), type: 'call' as const }
    const greeks = [call, { ...call, type: 'put' as const }].map(answered)
    for (const one of greeks) {
      if (one === undefined) continue
      const [own, other] = [call.spot * one.delta, one.rho / call.maturity]
      // Where rates discount steeply, the price itself magnifies the rounding of its inputs.
      const condition = 1 + Math.abs(call.rate * call.maturity) + Math.abs(call.dividendYield * call.maturity)
      near(own - other, one.price, 1e-10 * condition * (Math.abs(own) + Math.abs(other)) + 1e-300)
      checked++
    }
  }
})

function answered(input: VarianceGammaOption) {
  try {
    return varianceGammaGreeks(input)
  } catch (error) {
    assert.ok(error instanceof DomainError)
    return
  }
}

test('a volatility of 0 has no derivative by it', () => {
  assert.equal(varianceGammaGreeks({ ...option, sigma: 0 }).bySigma, 0)
})
