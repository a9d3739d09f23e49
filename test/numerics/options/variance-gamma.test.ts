/** Variance Gamma against reference values of two independent methods, published prices and its own laws. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { referenceCases } from '../../../src/cli/selftest/vectors.ts'
import { DomainError } from '../../../src/numerics/domain-error.ts'
import { randomFraction, seededRandom } from '../../../src/numerics/forest/random.ts'
import { blackScholes } from '../../../src/numerics/options/black-scholes.ts'
import { type VarianceGammaInput, varianceGammaCall } from '../../../src/numerics/options/variance-gamma.ts'
import { cpuTime } from '../../support/time-taken.ts'
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

const inputOf = ({ input }: Case): VarianceGammaInput => ({
  spot: input.S,
  strike: input.K,
  rate: input.r,
  sigma: input.sigma,
  theta: input.theta_vg,
  nu: input.nu,
  maturity: input.T,
  dividendYield: input.q ?? 0,
})

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
const within = (min: number, max: number) => fc.double({ min, max, noNaN: true })
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

/** Spot, strike, rate, sigma, theta, nu, maturity, dividend yield; price by a 60-digit trapezoid sum. */
const BEYOND_CASES: readonly [number, number, number, number, number, number, number, number, number][] = [
  [
    100.0, 167.16307797840648, -0.008520184040170044, 0.03030724970669128, -0.17429400393564298,
    0.4501607536655675, 0.01275416801285317, 0.0944662499838083, 3.215580989477614e-92,
  ],
  [
    100.0, 374.6902097640014, 0.14637081353220602, 0.2831447696409818, -0.3449678467638848,
    0.001177734882007149, 7.692438433393268e-5, 0.036143540851215974, 1.1591450750733374e-89,
  ],
  [
    100.0, 125.52958985255687, 0.1230253288502045, 0.03070220456551305, -0.7514711752454332,
    4.047298518656523e-7, 0.1271016679982907, 0.028194278298895162, 1.1651313717188841e-87,
  ],
  [
    100.0, 123.21914522785625, 0.14585423419703736, 0.1266190764280105, 1.1718734153444907,
    0.8475367694581627, 0.00817588280582103, 0.029275249159084006, 13.410072226312197,
  ],
  [
    100.0, 78660.29222562093, 0.09185894819172408, 0.028372356709567236, 0.274100529323881, 3.642945873927766,
    1.172344254768611, 0.07017545033403141, 90.18594235593355,
  ],
  [
    100.0, 114.92009895638475, 0.1800638078755899, 0.5838464136600696, 0.4004610710141836, 1.751621353719005,
    0.0036137757374510643, 0.07284676924059384, 2.943259796460079,
  ],
  [
    100.0, 51.50709437752558, 0.07522003395183226, 0.32074071011996863, 2.758497260403107, 0.3558797111670031,
    3.9073851351735542, 0.039761109135609034, 85.6105239724038,
  ],
  [
    100.0, 797946.5474315955, 0.03339960573798231, 0.12519019364360062, 1.116294897118495, 0.8895745454962476,
    1.567065319030233, 0.013073371405348123, 97.97215861630873,
  ],
  [
    100.0, 93.69842445092681, -0.0030363574632942536, 0.0722454610781581, 0.24590431307981842,
    3.8921704463107103, 0.0028919159041530334, 0.09042932298343637, 6.274605057622233,
  ],
  [
    100.0, 100.08553852078451, 0.018011207438957347, 0.14410268885636587, -0.32748707499582874,
    3.278912630058971, 0.003065066063584458, 0.0011732857895046635, 0.00284155604386385,
  ],
  [
    100.0, 113.71825555222112, 0.09457862722631312, 0.10497988993114371, -0.16797229446142525,
    0.010707045348800634, 1.0711270326440311e-5, 0.0509509102717656, 2.5670308605651624e-13,
  ],
  [
    100.0, 133.17517937217733, 0.077802416868132, 0.4934466816788808, -0.2123035863195808,
    0.017073822400054145, 1.710031169339955e-5, 0.036407855543016586, 1.0574328884447318e-6,
  ],
  [
    100.0, 109.55088909298412, 0.13038824080123332, 0.3300930374436996, -0.8539769713930507,
    1.236112329474782e-12, 0.006573311916020485, 0.08542999676352081, 0.00024501273664083884,
  ],
  [
    100.0, 0.03836880974031499, 0.14030044545477718, 0.6721165915177454, -0.7407064195243651,
    1.3422026747068087e-12, 14.10165831947417, 0.05594802739277982, 45.4264248700234,
  ],
  [
    100.0, 5.091410257831908, 0.07247371267342287, 1.1451407903242963, -0.6379241949114285,
    1.6039937000798997e-12, 0.4970881326736034, 0.045763326793733544, 92.84000440296481,
  ],
  [
    100.0, 1619.0868481914677, 0.10459112532692767, 0.23194376946163808, -0.8406149128727411,
    1.6074434939269753e-12, 0.6596708139154525, 0.037722717897773705, 1.508114500845834e-47,
  ],
  [
    100.0, 103.8772249560997, 0.06180249151569997, 0.8821119630240394, -0.08367162999594813,
    0.0008177080399805124, 1.7515606365834653e-6, 0.0378663063855398, 0.00012662620815941575,
  ],
  [
    100.0, 165.3523737169102, 0.13880318213422962, 0.3155184889159968, -0.8466713511895883,
    0.032249887981981216, 3.9424795053251294, 0.011241721345796553, 25.538217595443058,
  ],
  [
    100.0, 96.87548177438867, -0.015986997408514107, 0.06541125608919908, -0.7238805399439714,
    0.003452265540379143, 3.977478064534185e-6, 0.0004266186912790571, 3.1245119243061024,
  ],
  [
    100.0, 91.56562492069187, 0.04536004454345495, 0.055942946676103424, -0.6147802342256855,
    0.064527844124563, 0.013793147191334216, 0.07266778378312705, 8.421145897669538,
  ],
  [
    100.0, 102.93207346021748, 0.10217263574988525, 0.053590881981810834, -0.38985975325389766,
    0.00011889370234487387, 3.250113240777523e-7, 0.04526334035049892, 1.095449650159539e-38,
  ],
  [
    100.0, 173.4724248917761, 0.11259281464135644, 0.15314565846973896, 0.3529582827591069,
    2.7420841541411116, 1.0029974026699884, 0.009686884379918005, 97.04401744797863,
  ],
  [
    100.0, 97.57892870791981, 0.08556947047442098, 0.3968703743998468, -0.7876508673071951,
    0.004143269643071299, 7.264249966945282e-6, 0.07689644599345381, 2.4214262922252296,
  ],
  [
    100.0, 484450.34459100943, 0.06124996416665969, 0.16016862659270792, -0.3434147530371173,
    0.9045907215414458, 5.004545650412811, 0.041562471375292745, 4.53556141116895e-83,
  ],
]

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
  test('every reference case lies within its tolerance', () => {
    assert.equal(cases.length, 309)
    for (const reference of cases) {
      const exact = Number(reference.exact)
      const error = Math.abs(varianceGammaCall(inputOf(reference)) - exact)
      assert.ok(error <= reference.abs_tol + reference.rel_tol * exact, `${reference.name}: off by ${error}`)
    }
  })

  test('every reference case is within a relative 1e-12, however small the price or ill-conditioned', () => {
    for (const reference of cases) {
      const exact = Number(reference.exact)
      const error = Math.abs(varianceGammaCall(inputOf(reference)) - exact)
      assert.ok(error <= 1e-12 * exact, `${reference.name}: off by ${error / exact}`)
    }
  })

  test('every reference case of the whole domain lies within its tolerance, relative to the price', () => {
    const wide = ['variance_gamma_wide', 'variance_gamma_whole'].flatMap((name) => referenceCases<Case>(name))
    assert.ok(wide.length >= 220)
    for (const reference of wide) {
      const exact = Number(reference.exact)
      const error = Math.abs(varianceGammaCall(inputOf(reference)) - exact)
      assert.ok(error <= reference.rel_tol * exact, `${reference.name}: off by ${error / exact}`)
    }
  })

  test('prices beyond the reference box keep twelve digits', () => {
    for (const [spot, strike, rate, sigma, theta, nu, maturity, dividendYield, expected] of BEYOND_CASES) {
      const price = varianceGammaCall({ spot, strike, rate, sigma, theta, nu, maturity, dividendYield })
      assert.ok(Math.abs(price / expected - 1) <= 1e-12, `${price} for ${expected}`)
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

  test('a price whose bulk lies far from the strike is exact', () => {
    // Spot, strike, maturity, rate, sigma, theta, nu, dividend yield, price.
    const distant: readonly (readonly number[])[] = [
      [9440.4, 6346.1, 27.59, 0.1644, 0.1985, 1.72842518939, 0.572, 0.01347, 6510.14059096108],
      [9.7372, 1.9474, 14.66, -0.007502, 0.2509, 1.95151715019, 0.5042, 0, 9.7372],
      [0.0245802, 2.4937e-6, 13.1994, 0, 0.00470807, 7208.90065, 0.000138717, 0, 0.0245802],
      [0.317211, 691.016, 8.64242, 0, 1.24267e-5, 81.7608936, 0.0122307, 0.0476522, 0.21013219680845496],
      [18.63, 2.3402e23, 38.55, 0, 0.072, 33.424605182, 0.02989, 0, 18.63],
      [12.228, 879.32, 56.83, -0.08342, 1.295, 0.6882049373369813, 0.655, 0, 12.228],
      [100, 100, 1, 0.05, 0.2, -1e100, 0.2, 0, 100],
    ]
    for (const [spot, strike, maturity, rate, sigma, theta, nu, dividendYield, exact] of distant) {
      const price = varianceGammaCall({ spot, strike, maturity, rate, sigma, theta, nu, dividendYield })
      assert.ok(Math.abs(price / exact - 1) <= 1e-12, `${price} for ${exact}`)
      assert.ok(price <= spot * Math.exp(-dividendYield * maturity), `${price} above the discounted spot`)
    }
  })

  test('a conditional deviation of more than 200 leaves the price exact', () => {
    // Spot, strike, rate, sigma, theta, nu, maturity, price by two methods.
    const wide: readonly (readonly number[])[] = [
      [
        545.7709896068596, 545.7709896067521, 0, 124279.29472038479, -7722671548.09812, 0.07952640133309566,
        0.04343076265655586, 545.75955349872174,
      ],
      [
        0.0117180034615655, 0.011677139324729255, -0.0015668661495853464, 1.1944625112401699,
        -0.7133703903440278, 213815779.93020466, 2.229531524605606, 2.4485949769720797e-9,
      ],
      [
        0.007044430079382738, 0.007044430079370957, 0, 722.3345579727387, 61.84587119474987,
        5.687658571353264e-12, 0.5202635707519083, 0.0070444300793827382,
      ],
    ]
    for (const [spot, strike, rate, sigma, theta, nu, maturity, exact] of wide) {
      const price = varianceGammaCall({ spot, strike, maturity, rate, sigma, theta, nu, dividendYield: 0 })
      assert.ok(Math.abs(price / exact - 1) <= 1e-12, `${price} for ${exact}`)
    }
  })

  test('a narrow kink of a nearly constant clock keeps its digits, and a distant one its price', () => {
    const narrow = varianceGammaCall({
      spot: 35.736802866367846,
      strike: 36.303876530420624,
      rate: 0.14666760571653137,
      sigma: 0.000267040939284324,
      theta: 675.2923992872988,
      nu: 1.7199912709366915e-9,
      maturity: 0.1508707447704163,
      dividendYield: 0.012045741390330988,
    })
    assert.ok(Math.abs(narrow / 0.24914607673091368 - 1) < 2e-12, `${narrow}`)
    const distant = varianceGammaCall({
      spot: 32.5376483534033,
      strike: 641.3372151587814,
      rate: 0.04006679274400224,
      sigma: 0.053959665869462124,
      theta: 1.2958767705094336,
      nu: 0.7708123615947908,
      maturity: 1.090865457648053,
      dividendYield: 0,
    })
    assert.ok(Math.abs(distant / 32.5376483534033 - 1) < 1e-12, `${distant}`)
  })

  test('a deviation of more than 1 at the kink leaves the price exact', () => {
    // Spot, strike, rate, sigma, theta, nu, maturity, dividend yield, price by two methods.
    const steep: readonly (readonly number[])[] = [
      [
        15.933322511431, 2.2716857871446417e25, -0.14992359652169843, 0.1868438328120314,
        -0.0014218878402850223, 62.36972099522757, 0.027303302087175713, 0, 0.13953742676599143,
      ],
      [
        0.30521648734498963, 384312431927402760000, -0.005331438546126459, 0.06904861028149516,
        0.0015346126056440226, 255.20178448020067, 16.844239995939446, -0.007696402682957168,
        0.23964026865970453,
      ],
    ]
    for (const [spot, strike, rate, sigma, theta, nu, maturity, dividendYield, exact] of steep) {
      const price = varianceGammaCall({ spot, strike, rate, sigma, theta, nu, maturity, dividendYield })
      assert.ok(Math.abs(price / exact - 1) <= 1e-12, `${price} for ${exact}`)
    }
  })

  test('a kink narrower than rounding is exact', () => {
    const price = varianceGammaCall({
      spot: 0.6615846115276788,
      strike: 0.06360820271500646,
      rate: -0.15090592606320757,
      sigma: 2.429675638272588,
      theta: -2.5002130940141937e34,
      nu: 1.6617828000428844e-31,
      maturity: 5.276953559845982e-35,
      dividendYield: 0,
    })
    assert.ok(Math.abs(price / 0.5981092665696457 - 1) <= 1e-12, `${price}`)
  })

  test('a clock without Brownian motion is exact beside the strike', () => {
    const price = varianceGammaCall({
      spot: 30.355737098498416,
      strike: 26.32665187383513,
      rate: 0.0010747060845059811,
      sigma: 0,
      theta: -16.852638080473252,
      nu: 6.609107353055712e-7,
      maturity: 78.25127732995027,
      dividendYield: 0.002893157745013814,
    })
    assert.ok(Math.abs(price / 1.1708635651328085 - 1) <= 1e-12, `${price}`)
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
      fc.assert(
        fc.property(fc.oneof(wild, tame), (input) => {
          try {
            const price = varianceGammaCall(input)
            assert.ok(Number.isFinite(price) && price >= 0, `${price}`)
          } catch (error) {
            if (!(error instanceof DomainError)) throw error
          }
        }),
        { numRuns: runs },
      )
    assert.ok(cpuTime(check) < runs * 5)
  })
})
