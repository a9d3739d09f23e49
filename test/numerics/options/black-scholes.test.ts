/** Black–Scholes–Merton against reference values, published tables and its own laws. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { referenceCases } from '../../../src/cli/selftest/vectors.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { type BlackScholesInput, blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import { finite, plain, positive, within } from './inputs.ts'

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

const market = fc.record({
  spot: within(1, 1000),
  strike: within(1, 1000),
  rate: within(-0.05, 0.2),
  volatility: within(0.01, 1.5),
  maturity: within(0.002, 30),
  dividendYield: within(-0.02, 0.1),
})

/** Type, spot, strike, rate, volatility, maturity, dividend yield; price by a 60-digit closed form. */
const FAR_CASES: readonly ['call' | 'put', number, number, number, number, number, number, number][] = [
  [
    'call',
    78239.58926399871,
    88488.13291495576,
    0.03526881693075502,
    0.04051989538385921,
    0.006790731968263573,
    0.06565269379717596,
    6.626944721083625e-298,
  ],
  [
    'call',
    15209.089837946314,
    6.56344192544431e24,
    0.004430845717132745,
    1.7427512468039308,
    1.4807940731090825,
    -0.01859191111235628,
    4.3765633609338705e-98,
  ],
  [
    'call',
    32.451939993426855,
    60.830275674412015,
    0.09023107110978214,
    1.9738228705490444,
    0.004491721431327252,
    0.006511394791627212,
    1.1817977535836623e-6,
  ],
  [
    'put',
    1.8154611662482584e299,
    4.739012636832011e298,
    0.17160990770072754,
    0.06409372054240117,
    0.16562749084635853,
    0.0963129802753027,
    1.2313245844023323e-293,
  ],
  [
    'call',
    3.5163002869583244e292,
    9.256284282659608e292,
    0.18761918357713586,
    0.05573322361882012,
    0.26644691176860474,
    -0.015915819509383172,
    6.021901955865279e68,
  ],
  [
    'call',
    2.938892099624509e254,
    8.761726676550849e253,
    0.17177215764457932,
    0.17997576175982055,
    0.027207261981911795,
    0.09850058510191921,
    2.058939143274636e254,
  ],
  [
    'call',
    0.022229217531995978,
    0.022252447383415398,
    0.02437137899394666,
    2.81300472102065e-7,
    0.1235168949196134,
    0.01592153601137798,
    9.00000397870813e-25,
  ],
  [
    'call',
    0.0879229025776468,
    0.08960436033968118,
    0.07739770315988341,
    7.484301628109332e-7,
    0.3199853266787181,
    0.018198091133616427,
    9.855276607505218e-10,
  ],
  [
    'call',
    0.31195440653564444,
    0.312838785093408,
    0.19999829810310793,
    7.196909948702767e-6,
    0.01483489379865674,
    0.008833611101958488,
    1.5464048575280262e-6,
  ],
  [
    'call',
    7.26055432116288,
    0.5037279010970814,
    -0.41017279650291094,
    1.050237027079043,
    982.9201265023285,
    0.5016674361103592,
    2.5552929475828914e-240,
  ],
  [
    'put',
    92.04541285790197,
    3.040307667174758e-17,
    -0.657020979158496,
    52.89028333133558,
    3.164432933642838,
    -0.2286613546361751,
    2.431412704133228e-16,
  ],
  [
    'put',
    4.502928091260765,
    0.00015665175101846072,
    -0.6925738218761965,
    3.346488349374771,
    12.471683836837746,
    0.7276869993204955,
    0.8834473136403788,
  ],
]

describe('Black–Scholes price', () => {
  test('every reference case lies within its tolerance', () => {
    assert.equal(cases.length, 155)
    for (const reference of cases) {
      const exact = Number(reference.exact)
      const error = Math.abs(priceOf(reference) - exact)
      assert.ok(error <= reference.abs_tol + reference.rel_tol * exact, `${reference.name}: off by ${error}`)
    }
  })

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

  test('prices down to 1e-300 of prices near 1e300 keep thirteen digits', () => {
    for (const [type, spot, strike, rate, volatility, maturity, dividendYield, expected] of FAR_CASES) {
      const price = blackScholes({ spot, strike, rate, volatility, maturity, dividendYield, type })
      assert.ok(Math.abs(price / expected - 1) <= 1e-13, `${price} for ${expected}`)
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
    const wild = fc.record({
      spot: positive,
      strike: positive,
      rate: finite,
      volatility: finite.map(Math.abs),
      maturity: finite.map(Math.abs),
      dividendYield: finite,
      type: fc.constantFrom('call' as const, 'put' as const),
    })
    fc.assert(
      fc.property(wild, (input) => {
        try {
          const price = blackScholes(input)
          assert.ok(Number.isFinite(price) && price >= 0, `${price}`)
        } catch (error) {
          if (!(error instanceof DomainError)) throw error
        }
      }),
      { numRuns: 3000 },
    )
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
