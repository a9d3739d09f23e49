/** The density of the logarithm of a gamma variable of mean 1. */

/** Stirling's series Σ B₂ₙ/(2n(2n − 1)A^{2n−1}): seven terms are exact to rounding from A = 9. */
const SERIES = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]
const STIRLING_FROM = 9

/**
 * aᵃ·exp(−a)/Γ(a) for a > 0: the density of ln(G/EG) at 0, for a gamma variable G of shape a. Below 9 the shape is
 * first raised by Γ(a + 1) = a·Γ(a), as a product of ratios so that no large terms cancel.
 */
export function gammaDensityPeak(a: number): number {
  let shape = a
  let raised = 1
  while (shape < STIRLING_FROM) shape += 1
  for (let b = a; b < shape; b += 1) raised *= b / shape
  const w = 1 / (shape * shape)
  let series = SERIES[6]
  for (let n = 5; n >= 0; n--) series = series * w + SERIES[n]
  const exponent = shape === a ? 0 : a * Math.log(a / shape) + (shape - a)
  return raised * Math.sqrt(shape / (2 * Math.PI)) * Math.exp(exponent - series / shape)
}

/** 1/(n + 2)!, n = 0…11: the series of (exp(u) − 1 − u)/u². */
const [C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11] = Array.from({ length: 12 }, (_, n) => {
  let factorial = 1
  for (let i = 2; i <= n + 2; i++) factorial *= i
  return 1 / factorial
})

/**
 * u + 1 − exp(u) for w = exp(u). Times the shape it is ln(density(u)/density(0)); subtracted from u it is expm1(u).
 */
export function logDensity(u: number, w: number): number {
  if (u > 0.35 || u < -0.35) return u + 1 - w
  const v = u * u
  const even = C0 + v * (C2 + v * (C4 + v * (C6 + v * (C8 + v * C10))))
  const odd = C1 + v * (C3 + v * (C5 + v * (C7 + v * (C9 + v * C11))))
  return -v * (even + u * odd)
}
