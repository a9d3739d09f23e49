/** Variance Gamma against reference values of two independent methods, published prices and its own laws. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { referenceCases } from '../../../src/app/cli/selftest/vectors.ts'
import { randomFraction, seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import { type VarianceGammaInput, varianceGammaCall } from '../../../src/numerics/options/variance-gamma.ts'
import { optionOf } from '../../../src/numerics/results/variance-gamma.ts'
import { cpuTime } from '../../support/time-taken.ts'
import { table } from '../table.ts'
import { assertNotNegative, checkUnlessRefused, within } from './inputs.ts'
import { varianceGammaInputs } from './variance-gamma-inputs.ts'
import { brokenLaw, seamAt } from './variance-gamma-laws.ts'

interface Case {
  name: string
  family: string
  input: {
    S: number
    K: number
    T: number
    r: number
    sigma: number
    theta_vg: number
    nu: number
    q?: number
  }
  exact: string
  rel_tol: number
  abs_tol: number
}
const cases = referenceCases<Case>('variance_gamma')

const inputOf = ({ input }: Case): VarianceGammaInput => optionOf({ q: 0, ...input })

const plain: VarianceGammaInput = {
  spot: 100,
  strike: 105,
  rate: 0.05,
  sigma: 0.2,
  theta: -0.14,
  nu: 0.2,
  maturity: 1,
  dividendYield: 0.02,
}
/** `exact` by a 60-digit trapezoid sum, or by two methods. */
type Row = VarianceGammaInput & { readonly about: string; readonly exact: number }

const decades = (min: number, max: number) => within(Math.log(min), Math.log(max)).map(Math.exp)
/** The box of the reference cases, less what the martingale condition excludes. */
const market = fc
  .record({
    spot: within(1, 1000),
    strike: within(1, 1000),
    rate: within(-0.02, 0.2),
    sigma: decades(0.01, 1.5),
    theta: within(-1, 0.5),
    nu: decades(1e-4, 5),
    maturity: decades(0.002, 30),
    dividendYield: within(0, 0.1),
  })
  .filter(({ sigma, theta, nu }) => 1 - nu * (theta + sigma * sigma * 0.5) > 1e-6)

const refusal = (change: Partial<VarianceGammaInput>) => refusalOf({ ...plain, ...change })

function refusalOf(input: VarianceGammaInput): string | undefined {
  try {
    varianceGammaCall(input)
  } catch (error) {
    if (error instanceof DomainError) return `${error.parameter}: ${error.message}`
  }
  return undefined
}

describe('Variance Gamma price', () => {
  test('every reference case is within a relative 1e-12, however small the price or ill-conditioned', () => {
    for (const reference of cases) {
      const exact = Number(reference.exact)
      const error = Math.abs(varianceGammaCall(inputOf(reference)) - exact)
      assert.ok(error <= 1e-12 * exact, `${reference.name}: off by ${error / exact}`)
    }
  })

  for (const [about, rows] of Map.groupBy(table<Row>('variance-gamma'), (row) => row.about))
    test(`a price keeps twelve digits: ${about}`, () => {
      for (const { about: _, exact, ...input } of rows) {
        const price = varianceGammaCall(input)
        assert.ok(Math.abs(price / exact - 1) <= 1e-12, `${price} for ${exact}`)
        const most = input.spot * Math.exp(-input.dividendYield * input.maturity)
        assert.ok(price <= most, `${price} above the discounted spot`)
      }
    })

  test('the prices of Fang & Oosterlee (2008) are met to the digits they print', () => {
    const published = {
      spot: 100,
      strike: 90,
      rate: 0.1,
      sigma: 0.12,
      theta: -0.14,
      nu: 0.2,
      dividendYield: 0,
    }
    const short = varianceGammaCall({ ...published, maturity: 0.1 })
    const long = varianceGammaCall({ ...published, maturity: 1 })
    assert.ok(Math.abs(short - 10.993703187) < 5e-10)
    assert.ok(Math.abs(long - 19.099354724) < 5e-10)
  })

  test('as nu falls to 0 the price runs into Black–Scholes', () => {
    const limit = blackScholes({ ...plain, volatility: plain.sigma, type: 'call' })
    for (const nu of [1e-14, 1e-16, 1e-100, 5e-324]) {
      const price = varianceGammaCall({ ...plain, nu })
      assert.ok(Math.abs(price / limit - 1) < 1e-13, `nu ${nu}: ${price} against ${limit}`)
    }
  })

  test('as sigma falls to 0 the price runs into that at 0, where the clock is still random', () => {
    const limit = varianceGammaCall({ ...plain, sigma: 0 })
    const forward = 100 * Math.exp(-0.02) - 105 * Math.exp(-0.05)
    assert.ok(limit > Math.max(forward, 0) + 1)
    for (const sigma of [1e-8, 1e-12, 1e-100, 5e-324]) {
      const price = varianceGammaCall({ ...plain, sigma })
      assert.ok(Math.abs(price / limit - 1) < 1e-12, `sigma ${sigma}: ${price} against ${limit}`)
    }
  })

  test('sigma 0 with theta 0 is the discounted payoff of the forward, and maturity 0 the payoff', () => {
    const forward = 100 * Math.exp(-0.02) - 90 * Math.exp(-0.05)
    assert.ok(Math.abs(varianceGammaCall({ ...plain, strike: 90, sigma: 0, theta: 0 }) - forward) < 1e-13)
    assert.equal(varianceGammaCall({ ...plain, sigma: 0, theta: 0 }), 0)
    assert.equal(varianceGammaCall({ ...plain, strike: 90, maturity: 0 }), 10)
    assert.equal(varianceGammaCall({ ...plain, maturity: 0 }), 0)
  })

  test('a price is finite, between the discounted payoff of the forward and the discounted spot', () => {
    fc.assert(
      fc.property(market, (input) => {
        const price = varianceGammaCall(input)
        const spot = input.spot * Math.exp(-input.dividendYield * input.maturity)
        const strike = input.strike * Math.exp(-input.rate * input.maturity)
        assert.ok(price >= Math.max(spot - strike, 0) * (1 - 1e-14) && price <= spot * (1 + 1e-12))
      }),
      { numRuns: 1000 },
    )
  })

  test('a price falls with the strike, also where one method hands over to another', () => {
    fc.assert(
      fc.property(market, decades(1e-9, 0.5), (input, step) => {
        const price = varianceGammaCall(input)
        const above = varianceGammaCall({ ...input, strike: input.strike * (1 + step) })
        assert.ok(above <= price * (1 + 1e-12), `${above} above ${price}`)
      }),
      { numRuns: 1000 },
    )
  })

  test('the price scales with the currency', () => {
    fc.assert(
      fc.property(market, (input) => {
        const price = varianceGammaCall(input)
        const scaled = varianceGammaCall({ ...input, spot: input.spot * 1024, strike: input.strike * 1024 })
        // Below the least normal number prices have fewer digits.
        if (price >= 2 ** -1022) assert.equal(scaled, price * 1024)
      }),
    )
  })

  test('a parameter outside its domain is refused by name and with the rule', () => {
    assert.match(refusal({ nu: 0 })!, /^nu: .*Black–Scholes/)
    assert.match(refusal({ nu: -1 })!, /^nu: must be greater than 0/)
    assert.equal(
      refusal({ theta: 5 }),
      'nu: must be less than 0.199203 at these values of {theta} and {sigma}: 1 − {theta}·{nu} − {sigma}²·{nu}/2 is −0.004 and must be greater than 0',
    )
    assert.match(refusal({ spot: 0 })!, /^spot/)
    assert.match(refusal({ strike: 0 })!, /^strike/)
    assert.match(refusal({ sigma: -1 })!, /^sigma/)
    assert.match(refusal({ maturity: -1 })!, /^maturity/)
  })

  test('parameters too extreme for double precision are refused with this reason', () => {
    const reason = refusal({ theta: -5.65e145, nu: 2.1e7, sigma: 0, maturity: 11.6 })!
    const extreme = /^nu: .* are too extreme together: the price cannot be computed accurately$/
    assert.match(reason, extreme)
    assert.match(refusal({ sigma: 1e297, theta: -212, nu: 2.8 })!, extreme)
    // Accepted until the nodes of both sides of a kink had one limit: 1,461 nodes, 0.23 ms.
    const rare = { spot: 20, strike: 6e-19, rate: 0, sigma: 0.2, theta: -8.8e68, nu: 27.4, maturity: 10.1 }
    assert.match(refusal({ ...rare, dividendYield: 0 })!, extreme)
    assert.match(refusal({ spot: 1e308, dividendYield: -800 })!, /beyond the range of double precision/)
  })

  test('4,000 drawn inputs of the whole domain keep the bounds, fall with the strike, are convex in it and have no seam', () => {
    const random = seededRandom(11)
    const draw = varianceGammaInputs(() => randomFraction(random))
    for (let n = 0; n < 4_000; n++) {
      const input = draw()
      assert.equal(brokenLaw(input, 2 * 1e12 ** -randomFraction(random)), undefined)
      assert.ok((seamAt(input) ?? 0) < 1e-12, `the two sums differ: ${JSON.stringify(input)}`)
    }
  })

  test('a time too short for its nu is refused by name', () => {
    assert.match(refusal({ maturity: 1e-150 })!, /^maturity: is too small: .* 0 or at least 1e-100/)
  })

  test('wherever the bulk lies, prices stay in their bounds, fall with the strike and are convex in it', () => {
    const hard = fc
      .record({
        margin: fc.oneof(decades(1e-8, 1), decades(1, 1e4)),
        shape: decades(1e-3, 1e6),
        maturity: decades(1e-3, 100),
        width: decades(1e-8, 1),
        place: within(-1.2, 1.2),
        strikes: within(1e-3, 2),
      })
      .map(({ margin, shape, maturity, width, place, strikes }) => {
        const nu = maturity / shape
        const sigma = width * Math.sqrt(Math.min(1, (2 * Math.abs(1 - margin)) / nu))
        const theta = (1 - margin) / nu - 0.5 * sigma * sigma
        const reach =
          shape * Math.abs(margin - 1 - Math.log(margin)) + Math.sqrt(shape) * Math.abs(1 - margin)
        const strike = 100 * Math.exp(place * Math.min(reach, 300))
        return { input: { ...plain, dividendYield: 0, rate: 0, strike, sigma, theta, nu, maturity }, strikes }
      })
    fc.assert(
      fc.property(hard, ({ input, strikes }) => {
        if (refusalOf(input) !== undefined) return
        const at = (factor: number) => varianceGammaCall({ ...input, strike: input.strike * factor })
        const [low, middle, high] = [at(1), at(1 + strikes), at(1 + 2 * strikes)]
        assert.ok(low <= 100 && low >= Math.max(0, 100 - input.strike) * (1 - 1e-14), `${low}`)
        assert.ok(middle <= low * (1 + 2e-12) && high <= middle * (1 + 2e-12), `${low}, ${middle}, ${high}`)
        assert.ok(middle <= ((low + high) / 2) * (1 + 2e-12), `not convex: ${low}, ${middle}, ${high}`)
      }),
      { numRuns: 2000 },
    )
  })

  test('no finite input gives anything but a finite price not below zero, or a refusal, in a few milliseconds', () => {
    const positive = fc.oneof(
      fc.constantFrom(5e-324, 1e-308, 1e-12, 1, 1e308, Number.MAX_VALUE),
      fc.double({ min: 5e-324, max: Number.MAX_VALUE, noNaN: true }),
      decades(1e-30, 1e30),
    )
    const any = fc.oneof(
      fc.constantFrom(0, -0, 1e308, -1e308, 1e-308, 0.05),
      decades(1e-30, 1e30),
      decades(1e-30, 1e30).map((x) => -x),
    )
    const wild = fc.record({
      spot: positive,
      strike: positive,
      rate: any,
      sigma: any.map(Math.abs),
      theta: any,
      nu: positive,
      maturity: any.map(Math.abs),
      dividendYield: any,
    })
    // A market with two of its numbers gone wild reaches further into the code than all of them at once.
    const names = Object.keys(plain) as (keyof VarianceGammaInput)[]
    const tame = fc
      .tuple(market, wild, fc.constantFrom(...names), fc.constantFrom(...names))
      .map(([base, other, first, second]) => ({ ...base, [first]: other[first], [second]: other[second] }))
    const runs = 2000
    const check = () =>
      checkUnlessRefused(fc.oneof(wild, tame), (input) => assertNotNegative(varianceGammaCall(input)), runs)
    assert.ok(cpuTime(check) < runs * 5)
  })
})
