/** Surfaces of quotes by Variance Gamma with drawn parameters. */
import { randomFraction, seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import type { Market, Quote } from '../../../src/numerics/options/calibration/calibration-quotes.ts'
import type { Parameters } from '../../../src/numerics/options/calibration/variance-gamma-smile.ts'
import { varianceGammaGreeks } from '../../../src/numerics/options/variance-gamma-greeks.ts'

export const market: Market = { spot: 100, rate: 0.03, dividendYield: 0.01 }

export function surfaces(seed: number) {
  const random = seededRandom(seed)
  const between = (low: number, high: number) => low + (high - low) * randomFraction(random)

  function drawn(): Parameters {
    for (;;) {
      const model = {
        sigma: between(0.08, 0.5),
        theta: between(-0.6, 0.15),
        nu: Math.exp(between(Math.log(0.02), Math.log(2))),
      }
      if (1 - model.theta * model.nu - 0.5 * model.sigma ** 2 * model.nu > 0.02) return model
    }
  }

  /** Five maturities of fifteen strikes, out of the money; with noise of up to half a tick. */
  const surface = (model: Parameters, tick = 0): Quote[] =>
    [0.08, 0.25, 0.5, 1, 2].flatMap((maturity) =>
      Array.from({ length: 15 }, (_, k): Quote => {
        const width = Math.sqrt((model.sigma ** 2 + model.theta ** 2 * model.nu) * maturity)
        const strike = 100 * Math.exp(1.5 * width * ((k - 7) / 7) + 0.02 * maturity)
        const type = k < 7 ? 'put' : 'call'
        const { price } = varianceGammaGreeks({ ...market, ...model, strike, maturity, type })
        return { strike, maturity, price: Math.max(0, price + tick * between(-0.5, 0.5)), type, weight: 1 }
      }),
    )

  return { between, drawn, surface }
}
