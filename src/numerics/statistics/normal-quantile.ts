/** Quantiles of the normal distribution. */
import { millsRatio, NORMAL_PEAK } from '../options/mills-ratio.ts'

/**
 * The z that a standard normal variable exceeds with probability α, by Newton steps on ln(1 − Φ(z)). It is concave, so that
 * the first step from 0 goes beyond the root and the others descend to it.
 * @param tail α, greater than 0 and at most 1/2
 */
export function normalQuantile(tail: number): number {
  const target = Math.log(tail / NORMAL_PEAK)
  let z = 0
  // Six to eight steps are enough; the limit only ends a circle of neighbouring doubles.
  for (let step = 0; step < 60; step++) {
    const ratio = millsRatio(z)
    const next = Math.max(0, z + (Math.log(ratio) - 0.5 * z * z - target) * ratio)
    if (Math.abs(next - z) <= 1e-16 * z) return next
    z = next
  }
  return z
}
