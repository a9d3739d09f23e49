/** The step of a trapezoidal sum over the logarithm of a gamma time. */

/** −ln of the relative error that the step and the truncation of the sum may cause: 3e-14. */
const DIGITS = 31
const ANGLES = [1.5, 1.4, 1.3, 1.15, 1, 0.85, 0.7, 0.55, 0.45]
const LOG_SECANTS = ANGLES.map((angle) => -Math.log(Math.cos(angle)))
const VERSINES = ANGLES.map((angle) => 1 - Math.cos(angle))

/**
 * The widest step h at which the sum of f(u) = exp(αu − Bexp(u) − Cexp(−u)), q = 2√(BC), is exact to 3e-14: the error
 * is at most exp(−2πφ/h)·max|f(u + iφ)/f| for every angle φ below π/2 (Trefethen & Weideman 2014, theorem 5.1), and
 * rotating the path by φ raises the exponent by min(α·ln sec φ + q(1 − cos φ), √(α² + q²)·ln sec φ). Where f is only a
 * part of the integrand, exp(−depth) of the whole, the exponent is lower by `depth`; for the rest it rises by α·ln sec φ.
 * @param digits −ln of another error than 3e-14
 */
export function trapezoidStep(alpha: number, q: number, depth: number, digits = DIGITS): number {
  const kappa = Math.sqrt(alpha * alpha + q * q)
  const narrow = Math.sqrt((2 * digits) / kappa)
  let step = narrow < 0.5 ? (Math.PI * narrow) / digits : 0
  if (narrow < 0.5 && depth === 0) return step
  for (let i = 0; i < ANGLES.length; i++) {
    const power = alpha * LOG_SECANTS[i]
    const cost = Math.max(power, Math.min(power + q * VERSINES[i], kappa * LOG_SECANTS[i]) - depth)
    step = Math.max(step, (2 * Math.PI * ANGLES[i]) / (digits + cost))
  }
  return step
}

/** The largest q for which `trapezoidStep` of a large q and a depth of 0 is not below a step. */
export const steepestAt = (step: number, digits: number): number => (2 * (Math.PI / step) ** 2) / digits
