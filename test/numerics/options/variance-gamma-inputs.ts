/** Draws Variance Gamma inputs over the whole accepted domain, and where the kernel changes its method. */
import type { VarianceGammaInput } from '../../../src/numerics/options/variance-gamma.ts'

/** @param fraction uniform on [0, 1) */
export function varianceGammaInputs(fraction: () => number): () => VarianceGammaInput {
  const between = (low: number, high: number) => low + (high - low) * fraction()
  const decades = (low: number, high: number) => Math.exp(between(Math.log(low), Math.log(high)))
  const sign = () => (fraction() < 0.5 ? -1 : 1)
  const likely = (probability: number) => fraction() < probability

  /** Mostly numbers of a market, sometimes any. */
  const scale = () =>
    likely(0.03) ? decades(1e-300, 1e300) : likely(0.3) ? decades(1e-12, 1e12) : decades(1e-3, 1e2)

  function draw(): VarianceGammaInput {
    const maturity = scale()
    const nu = likely(0.7) ? maturity / decades(1e-8, 1e12) : scale()
    const shape = maturity / nu
    const margin = likely(0.4)
      ? decades(1e-12, 1)
      : likely(0.1)
        ? 1 + sign() * decades(1e-12, 0.5)
        : decades(1, likely(0.02) ? 1e90 : 1e6)
    const widest = Math.sqrt(Math.min(1, 2 * Math.abs(1 - margin)) / nu)
    const sigma = likely(0.05) ? 0 : likely(0.75) ? decades(1e-9, 1) * widest : scale()
    const theta = likely(0.8) ? (1 - margin) / nu - 0.5 * sigma * sigma : sign() * scale()
    const spot = likely(0.9) ? decades(1e-3, 1e4) : decades(1e-150, 1e150)
    const steepness = likely(0.05) ? 600 : likely(0.5) ? 0.2 : 0
    const rate = (between(-1, 1) * steepness) / Math.max(1, maturity)
    const dividendYield = likely(0.5) ? 0 : rate + (between(-1, 1) * 0.2) / Math.max(1, maturity)
    const reach = shape * Math.abs(margin - 1 - Math.log(margin))
    const width = Math.sqrt(sigma * sigma * maturity + theta * theta * nu * maturity)
    const singular = -shape * Math.log(margin)
    const place = fraction()
    const x =
      place < 0.25
        ? between(-3, 3) * width
        : place < 0.45
          ? between(-1.3, 1.3) * reach
          : place < 0.65
            ? singular + sign() * decades(1e-12, 10)
            : place < 0.75
              ? sign() * decades(1e-15, 1e-3) * Math.min(1, width)
              : place < 0.85
                ? between(-40, 40) * width
                : between(-60, 60)
    const strike = spot * Math.exp((rate - dividendYield) * maturity - x)
    return { spot, strike, rate, sigma, theta, nu, maturity, dividendYield }
  }

  return () => {
    for (;;) {
      const input = draw()
      if (isPlausible(input)) return input
    }
  }
}

/** Finite, with positive spot and strike; other conditions are left to the kernel. */
const isPlausible = (input: VarianceGammaInput): boolean =>
  Object.values(input).every(Number.isFinite) && input.strike > 0 && input.nu > 0 && input.maturity > 0
