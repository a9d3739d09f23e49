/** An American option without uncertainty: exercised when its discounted payoff is largest. */

export interface CertainOption {
  readonly isCall: boolean
  readonly spot: number
  readonly strike: number
  readonly rate: number
  readonly dividendYield: number
  readonly maturity: number
}

export interface CertainValue {
  readonly price: number
  readonly delta: number
  readonly gamma: number
  readonly theta: number
  /** Whether the payoff is 0 at the best time, where it may have a kink. */
  readonly isWorthless: boolean
}

/** max over t ≤ T of ±(S·exp(−qt) − K·exp(−rt)), or 0, with its derivatives. */
export function certainExercise(option: CertainOption): CertainValue {
  const { isCall, spot, strike, rate, dividendYield, maturity } = option
  const sign = isCall ? 1 : -1
  const payoff = (time: number) =>
    sign * (spot * Math.exp(-dividendYield * time) - strike * Math.exp(-rate * time))
  // The derivative of the payoff is 0 where exp((q − r)t) = q·S/(r·K).
  const carry = dividendYield - rate
  const inner = Math.log((dividendYield / rate) * (spot / strike)) / carry
  const times = [0, maturity, ...(inner > 0 && inner < maturity ? [inner] : [])]
  const best = times.reduce((one, other) => (payoff(other) > payoff(one) ? other : one))
  const price = payoff(best)
  if (!(price > 0)) return { price: 0, delta: 0, gamma: 0, theta: 0, isWorthless: true }
  const flow =
    sign * (strike * rate * Math.exp(-rate * best) - spot * dividendYield * Math.exp(-dividendYield * best))
  const slope = Math.exp(-dividendYield * best)
  return {
    price,
    delta: sign * slope,
    // The best time moves by 1/(carry·S) for each unit of the spot.
    gamma: best === inner ? (-sign * dividendYield * slope) / (carry * spot) : 0,
    theta: best === maturity && maturity > 0 ? -flow : 0,
    isWorthless: false,
  }
}
