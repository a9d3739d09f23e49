/** The value of early exercise, by an integral over the times at which it happens. */
import { millsRatio, NORMAL_PEAK } from '../mills-ratio.ts'
import { type Boundary, logBoundary } from './exercise-boundary.ts'

/** A value with its first two derivatives by the spot. */
export interface Slopes {
  readonly value: number
  readonly delta: number
  readonly gamma: number
}

/** A node on (0, 1) of the rule of Takahasi and Mori (1974), its distance from 1 and its weight. */
interface Node {
  readonly share: number
  readonly rest: number
  readonly weight: number
}

/** The rule's ends: beyond them weights are below 1e-17. */
const REACH = 3.2

export function doubleExponentialRule(step: number): readonly Node[] {
  const count = Math.round(REACH / step)
  return Array.from({ length: 2 * count + 1 }, (_, k) => {
    const x = (k - count) * step
    const e = Math.exp(-Math.PI * Math.sinh(x))
    return {
      share: 1 / (1 + e),
      rest: e / (1 + e),
      weight: (step * Math.PI * Math.cosh(x) * e) / (1 + e) ** 2,
    }
  })
}

/**
 * What is earned, at times to maturity up to `until`, beyond the boundary: ∫[r·exp(−r(τ−u))·Φ(∓d₂) − q·S·exp(−q(τ−u))·Φ(∓d₁)]du, where
 * the upper signs are for below and d₁ and d₂ have the boundary b(u) for a strike (Kim 1990, eq. 10).
 */
export function earnedBeyond(
  boundary: Boundary,
  logSpot: number,
  maturity: number,
  until: number,
  below: boolean,
  rule: readonly Node[],
): Slopes {
  const { rate, dividendYield } = boundary
  const sign = below ? 1 : -1
  const spot = Math.exp(logSpot)
  const drift = rate - dividendYield + 0.5
  const shortest = Math.sqrt(maturity - until)
  const longest = Math.sqrt(maturity)
  const width = until / (shortest + longest)
  let [value, delta, gamma] = [0, 0, 0]
  for (const { share, rest, weight } of rule) {
    const span = shortest + width * share
    const there = logBoundary(boundary, width * rest * (longest + span))
    const square = span * span
    const d1 = (logSpot - there) / span + drift * span
    const d2 = d1 - span
    const density = NORMAL_PEAK * Math.exp(-dividendYield * square - 0.5 * d1 * d1)
    const inverse = Math.exp(-there)
    const spotTail = tailOf(sign * d1, density, -dividendYield * square)
    const strikeTail = tailOf(sign * d2, density * spot * inverse, -rate * square)
    const part = 2 * span * width * weight
    value += part * (rate * strikeTail - dividendYield * spot * spotTail)
    const earned = rate * inverse - dividendYield
    const flow = (sign * part * density) / span
    delta -= flow * earned + part * dividendYield * spotTail
    gamma += flow * ((earned * d1) / span + dividendYield)
  }
  return { value, delta, gamma: gamma / spot }
}

/** exp(decay)·Φ(−d) from exp(decay)·φ(d). */
function tailOf(d: number, density: number, decay: number): number {
  return d > 0 ? density * millsRatio(d) : Math.exp(decay) - density * millsRatio(-d)
}
