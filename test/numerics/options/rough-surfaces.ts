/** Seeded surfaces of quotes as markets give them: noisy, rounded, sparse, of smiles that the model does not fit, and with arbitrage. */
import { randomFraction, seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { blackScholesPrice } from '../../../src/numerics/options/black-scholes.ts'
import type { Quote } from '../../../src/numerics/options/calibration/calibration-quotes.ts'
import { varianceGammaGreeks } from '../../../src/numerics/options/variance-gamma-greeks.ts'

export const roughMarket = { spot: 100, rate: 0.02, dividendYield: 0.005 }
export const ROUGH_KINDS = ['noisy', 'rounded', 'sparse', 'smile', 'arbitrage'] as const
export type RoughKind = (typeof ROUGH_KINDS)[number]

/** Each call gives the next surface of a kind; every surface has at least four quotes with a time value. */
export function roughSurfaces(seed: number): (kind: RoughKind) => Quote[] {
  const random = seededRandom(seed)
  const between = (low: number, high: number) => low + (high - low) * randomFraction(random)
  const decades = (low: number, high: number) => Math.exp(between(Math.log(low), Math.log(high)))
  const rounded = (value: number, unit: number) => Math.round(value / unit) * unit

  function model() {
    for (;;) {
      const one = { sigma: between(0.08, 0.5), theta: between(-0.6, 0.2), nu: decades(0.02, 5) }
      if (1 - one.theta * one.nu - 0.5 * one.sigma ** 2 * one.nu > 0.02) return one
    }
  }

  /** Strikes in cents around the forward, and the right to buy or sell. */
  function places(
    width: number,
    maturity: number,
    count: number,
  ): Pick<Quote, 'strike' | 'maturity' | 'type'>[] {
    return Array.from({ length: count }, (_, k) => {
      const x = width * (1.6 * ((k + 0.5) / count - 0.5) * 2 + between(-0.2, 0.2))
      const strike = rounded(100 * Math.exp(x + 0.015 * maturity), 0.01)
      return { strike, maturity, type: between(0, 1) < 0.5 ? 'put' : 'call' }
    })
  }

  /** Prices of the model with noise, rounded to a tick. */
  function prices(noise: number, tick: number, maturities: number[], count: number): Quote[] {
    const own = model()
    return maturities.flatMap((maturity) => {
      const width = Math.sqrt((own.sigma ** 2 + own.theta ** 2 * own.nu) * maturity)
      return places(width, maturity, count).map(({ strike, type }): Quote => {
        const { price } = varianceGammaGreeks({ ...roughMarket, ...own, strike, maturity, type })
        const [low, high] = bounds(strike, maturity, type)
        const quoted = rounded(price + noise * between(-1, 1), tick)
        return { strike, maturity, type, price: Math.min(Math.max(quoted, low), high), weight: 1 }
      })
    })
  }

  function bounds(strike: number, maturity: number, type: 'call' | 'put'): [number, number] {
    return [0, 5].map((volatility) =>
      blackScholesPrice({ ...roughMarket, strike, volatility, maturity, type }),
    ) as [number, number]
  }

  /** Volatilities of a skewed smile with relative noise, rounded. */
  function volatilities(noise: number, unit: number, maturities: number[], count: number): Quote[] {
    const [level, skew, bend, term] = [
      decades(0.08, 0.6),
      between(-0.5, 0.15),
      between(-0.05, 0.3),
      between(-0.3, 0.3),
    ]
    return maturities.flatMap((maturity) => {
      const usual = level * maturity ** (0.3 * term)
      const width = usual * Math.sqrt(maturity)
      return places(width, maturity, count).map(({ strike, type }): Quote => {
        const x = Math.log(strike / 100) / width
        const smile = usual * Math.max(0.3, 1 + skew * x + bend * x * x) * (1 + noise * between(-1, 1))
        return { strike, maturity, type, impliedVolatility: Math.max(unit, rounded(smile, unit)), weight: 1 }
      })
    })
  }

  const times = (count: number) => Array.from({ length: count }, () => rounded(decades(0.03, 3), 0.01))
  const many = (low: number, high: number) => Math.floor(between(low, high + 1))
  const draws: Record<RoughKind, () => Quote[]> = {
    noisy: () => prices(decades(0.005, 0.5), 1e-6, times(many(1, 4)), many(5, 15)),
    rounded: () => prices(0, between(0, 1) < 0.5 ? 0.01 : 0.05, times(many(1, 4)), many(5, 15)),
    sparse: () => volatilities(between(0, 0.05), 1e-4, times(many(1, 2)), many(4, 6)),
    smile: () => volatilities(between(0, 0.02), 1e-4, times(many(1, 4)), many(5, 12)),
    arbitrage: () => volatilities(between(0.05, 0.3), 1e-3, times(many(1, 4)), many(5, 12)),
  }

  return (kind) => {
    for (;;) {
      const quotes = draws[kind]()
      if (quotes.filter(hasTimeValue).length >= 4) return quotes
    }
  }
}

function hasTimeValue({ price, strike, maturity, type, impliedVolatility }: Quote): boolean {
  if (price === undefined) return impliedVolatility! > 0
  return price > 1e-9 + blackScholesPrice({ ...roughMarket, strike, volatility: 0, maturity, type })
}
