/** Black–Scholes–Merton prices where no parameter is extreme: the same formula in few steps, kept out of boxes. */
import { exponential } from '../arithmetic/exponential.ts'
import { logOfQuotient, takeLogOfQuotient } from '../arithmetic/log-quotient.ts'
import { millsDrop, NORMAL_PEAK } from './mills-ratio.ts'
import { precisePower, takePrecisePower } from './precise-power.ts'

/** So often may the price magnify the rounding of x, at most 2⁻⁵², before it is made good. */
const MAGNIFIED = 16
/** So often the price may magnify the error of a logarithm to 59 bits. */
const TOO_OFTEN = 1e4

/**
 * The price as `blackScholesPrice` describes it, or NaN where a parameter is out of the ordinary. An error δ of
 * x = ln(S/K) + (r − q)T moves the price by less than 2(1 + y)δ/√v of itself, where y = |x|/√v; so all told the price is
 * right to 4e-15 where it leaves roundings alone, and to 3e-14 elsewhere.
 */
export function ordinaryPrice(
  isCall: boolean,
  spotGiven: number,
  strikeGiven: number,
  rateGiven: number,
  volatilityGiven: number,
  maturityGiven: number,
  dividendYieldGiven: number,
): number {
  // Numbers come in boxes, which would be opened at every use; so each is taken out once, and boxes are passed on.
  const spot = +spotGiven
  const strike = +strikeGiven
  const rate = +rateGiven
  const maturity = +maturityGiven
  const dividendYield = +dividendYieldGiven
  const s = +volatilityGiven * Math.sqrt(maturity)
  const t = 0.5 * s
  const inverse = 1 / s
  const drift = (rate - dividendYield) * maturity
  const decay = 0.5 * (rate + dividendYield) * maturity
  if (!(spot > 1e-30 && spot < 1e30 && strike > 1e-30 && strike < 1e30)) return Number.NaN
  if (!(t < 3 && Math.abs(drift) + Math.abs(decay) < 2)) return Number.NaN

  takeLogOfQuotient(spot, strike)
  const log = logOfQuotient[0]
  let x = log + (logOfQuotient[1] + drift)
  let y = Math.abs(x) * inverse
  let power = -0.5 * (y * y + t * t) - decay
  let tail = 0
  const magnified = (1 + y) * (y + (Math.abs(log) + Math.abs(drift)) * inverse)
  if (!(magnified < MAGNIFIED)) {
    if (!(magnified < TOO_OFTEN && power > -690)) return Number.NaN
    // Where halves of 24 bits would leave the range of floats.
    if (!(s > 1e-15 && maturity > 1e-30 && maturity < 1e30)) return Number.NaN
    takePrecisePower(rateGiven, volatilityGiven, maturityGiven, dividendYieldGiven)
    x = precisePower[0]
    y = precisePower[1]
    power = precisePower[2]
    tail = precisePower[3]
  }
  const mean = Math.sqrt(spot * strike)
  const otm = mean * exponential(power, tail) * millsDrop(y, t) * NORMAL_PEAK
  if (isCall ? x <= 0 : x >= 0) return otm
  return otm + mean * forwardShare(Math.abs(x), decay)
}

/** |S·exp(−qT) − K·exp(−rT)|/√(SK) = exp(−decay)·2·sinh(size/2). */
function forwardShare(size: number, decay: number): number {
  const z = 0.5 * size
  if (z > 0.5) return exponential(z - decay, 0) - exponential(-z - decay, 0)
  const zz = z * z
  const far = 1 / 362880 + zz * (1 / 39916800 + zz * (1 / 6227020800))
  const series = 1 + zz * (1 / 6 + zz * (1 / 120 + zz * (1 / 5040 + zz * far)))
  return exponential(-decay, 0) * size * series
}
