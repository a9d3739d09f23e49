/** Black–Scholes prices where the logarithm of spot over strike and the drift cancel, or deviation and time are minute. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blackScholes } from '../../../src/numerics/options/black-scholes.ts'

/** Type, spot, strike, rate, volatility, maturity, dividend yield; price by a closed form and by quadrature, equal to 70 digits. */
const CASES: readonly ['call' | 'put', number, number, number, number, number, number, number][] = [
  [
    'call',
    53743.82614163205,
    53931.776347261126,
    0.27541964093648624,
    1.3043743129829715e-14,
    0.008393526076536706,
    -0.14050197086164135,
    4.429696515606414e-261,
  ],
  [
    'put',
    4397.903128295355,
    4407.452500200134,
    0.289141109521737,
    1.1467955571814804e-14,
    0.005806451266173393,
    -0.08440764027200448,
    1.6325433173381268e-228,
  ],
  [
    'call',
    399.04820889651955,
    397.81084812176596,
    -0.04155533729789711,
    1.1446572729994573e-9,
    0.076811054918506,
    -0.0011235533639795126,
    2.0390584220455136e-245,
  ],
  [
    'put',
    14.501773402116884,
    14.330201832427829,
    -0.17755765047137517,
    1.1154569398803193e-14,
    0.0670296051007223,
    5.800730226365828e-18,
    3.5534927138454055e-98,
  ],
  [
    'call',
    3783.8305010166623,
    3777.1459210285234,
    -0.40724134376722476,
    1.1677559920172328e-27,
    0.004341846721729854,
    -6.698730522589907e-18,
    1.3043455897938922e-293,
  ],
  [
    'put',
    0.003537850532954924,
    0.0005879253546014058,
    -0.13577761464979196,
    0,
    13.2177505134113,
    -9.717619939893262e-18,
    4.047740041279249e-33,
  ],
  [
    'put',
    38.672210983148396,
    38.672210983148396,
    -0.08268314672481383,
    4.166587582677268e-51,
    3.0420323100744286e-94,
    -0.08921572587717833,
    6.257976813012588e-262,
  ],
  [
    'call',
    2.0896343562223323e189,
    2.0896343562223323e189,
    -1.0480047171707903e129,
    3.307167687428774e-17,
    1.5141888636133438e-290,
    9.164119696777628e128,
    151008210879352.3,
  ],
  [
    'call',
    3.1310437488517406e67,
    3.4705661502571797e67,
    0.16822037003219345,
    2.4197395941697204e-13,
    0.4321826739443954,
    -0.0699921440110696,
    5.176855213059968e-299,
  ],
  [
    'call',
    0.0036263072164647446,
    0.08086716923217993,
    372.966935541109,
    1.0918417895125168e-12,
    4.024535919532876e-12,
    -771416418786.4633,
    1.5573848492053205e-274,
  ],
]

/** The same where σ√T, or (r − q)T at equal spot and strike, is below the normal doubles; price by a closed form, to 40 digits. */
const MINUTE_CASES: typeof CASES = [
  [
    'call',
    7.636968510665341e275,
    7.636968510665341e275,
    0,
    8.713403488788064e-248,
    1.542305389092847e-178,
    0,
    3.296887128536967e-61,
  ],
  ['put', 3e300, 3e300, 0.04, 2e-310, 0.25, 0.04, 1.1849182151608536e-10],
  ['call', 1e308, 1e308, 1e-200, 0, 1e-250, -3e-201, 1.3e-142],
  ['put', 2e250, 2e250, -3e-160, 1e-250, 1e-180, -2.5e-160, 1.395593114802612e-90],
  ['call', 1e290, 1e290, 0, 5e-324, 5e-324, 0, 4.381139190952796e-196],
  ['call', 1.5e300, 1.5e300, 2e-162, 5e-324, 1e-160, 1.999e-162, 1.4999999999998725e-25],
]

describe('Black–Scholes price under cancellation', () => {
  test('a forward within some deviations of the strike keeps thirteen digits, however small the deviation', () => {
    for (const [type, spot, strike, rate, volatility, maturity, dividendYield, expected] of CASES) {
      const price = blackScholes({ spot, strike, rate, volatility, maturity, dividendYield, type })
      assert.ok(Math.abs(price / expected - 1) <= 1e-13, `${price} for ${expected}`)
    }
  })

  test('a deviation or a drift that underflows keeps thirteen digits of a price that does not', () => {
    for (const [type, spot, strike, rate, volatility, maturity, dividendYield, expected] of MINUTE_CASES) {
      const price = blackScholes({ spot, strike, rate, volatility, maturity, dividendYield, type })
      assert.ok(Math.abs(price / expected - 1) <= 1e-13, `${price} for ${expected}`)
    }
  })
})
