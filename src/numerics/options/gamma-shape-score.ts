/** The derivative of a mean over the gamma time by the shape of the time. */
import type { ConditionalPut } from './conditional-put.ts'

/**
 * ln a − ψ(a) for a > 0, by the asymptotic series of ψ from 10 on (Abramowitz & Stegun 1964, 6.3.18) and ψ(a) = ψ(a + 1) − 1/a
 * below. With `logDensity` it is the derivative of the logarithm of the density by the shape.
 */
export function shapeScore(a: number): number {
  let shape = a
  let raised = 0
  for (; shape < 10; shape += 1) raised += 1 / shape
  const v = 1 / (shape * shape)
  let series = 0
  for (let n = SERIES.length - 1; n >= 0; n--) series = series * v + SERIES[n]
  return raised + (shape === a ? 0 : Math.log(a / shape)) + 0.5 / shape + v * series
}

const SERIES = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12]

/** Terms of the power series of each coefficient in u; at |u| = 1 the last is below 1e-17, and so is the twelfth at |u| = 0.2. */
const TERMS = 24
const FEW_TERMS = 12
const VERY_NEAR = 0.2
const NEAR = 1
/** Orders of the expansion in 1/a, which is used from a = 150 on. */
const ORDERS = 6
/** The coefficients of 1/a, 1/a², … in ln a − ψ(a). */
const SCORES = [0, 1 / 2, 1 / 12, 0, -1 / 120, 0]
const coefficients = expansion()

/**
 * B(w) in ∂E[h(w)]/∂a = −E[w²·B(w)·h″(w)]/a² for a gamma time w of mean 1 and a large shape a.
 *
 * The times of different shapes have equal means, so the density's derivative by the shape is a second derivative, of
 * −w²·B·density/a². With u = ln w and η = w − 1, B″ + B′ − 2aηB′ + a²η²B − a(1 + 2η)B = −a²(u − η + ln a − ψ(a)), and
 * B = Σ bₙ/aⁿ follows order by order: η²bₙ = 2ηbₙ₋₁′ + (1 + 2η)bₙ₋₁ − bₙ₋₂″ − bₙ₋₂′ − cₙ. The score itself would be a small
 * difference of terms a times as large. In u each bₙ is regular up to |u| = 2π, where η is 0 again.
 * @param eta w − 1
 */
function shapeKernel(a: number, u: number, w: number, eta: number): number {
  const size = Math.abs(u)
  if (size > NEAR) return farKernel(a, u, w, eta)
  if (a !== seriesShape) sumOrders(a)
  // Even and odd powers apart, because each product waits for the one before it.
  const square = u * u
  let even = 0
  let odd = 0
  for (let k = (size > VERY_NEAR ? TERMS : FEW_TERMS) - 2; k >= 0; k -= 2) {
    even = even * square + series[k]
    odd = odd * square + series[k + 1]
  }
  return even + u * odd
}

/** A time w = exp(u), the logarithm of the density there, and d₂ and s given the time. */
interface TimeNode {
  readonly u: number
  readonly w: number
  readonly log: number
  readonly d2: number
  readonly s: number
}

/**
 * The part that a time w adds to the derivative by a large shape of the mean of h, less tilt·E[(w − 1)h], where h(w) is the
 * value of a put or a call given the time, of which ∂h/∂m = slope and ∂²h/∂m² = curvature + slope: −(w²·B·h″/shape +
 * tilt·w·h′)/shape, where ∂h/∂w = A·∂h/∂m + β·∂²h/∂m² with A = drift − β and β = deviation²/2.
 */
export function byLargeShape(
  { drift, deviation, shape }: ConditionalPut,
  tilt: number,
  { u, w, log, d2, s }: TimeNode,
  slope: number,
  curvature: number,
): number {
  const beta = 0.5 * deviation * deviation
  const first = drift * slope + beta * curvature
  const byTime = s === 0 ? 0 : (beta * beta * (d2 * d2 - 1)) / (s * s) - (beta * (2 * drift - beta) * d2) / s
  const second = drift * drift * (curvature + slope) + curvature * byTime
  return -((w * w * shapeKernel(shape, u, w, u - log) * second) / shape + tilt * w * first) / shape
}

/** B's power series in u at one shape, kept for the next times of that shape. */
const series = new Float64Array(TERMS)
let seriesShape = Number.NaN

function sumOrders(a: number): void {
  const inverse = 1 / a
  for (let k = 0; k < TERMS; k++) {
    let sum = 0
    for (let n = ORDERS - 1; n >= 0; n--) sum = sum * inverse + coefficients[n][k]
    series[k] = sum
  }
  seriesShape = a
}

/** B up to the term b₂/a², from the recursion itself. */
function farKernel(a: number, u: number, w: number, eta: number): number {
  const b0 = (eta - u) / (eta * eta)
  const b0u = (1 - 2 * w * b0) / eta
  const b0uu = (-2 * w * (b0 + b0u) - w * b0u) / eta
  const b1 = (1.5 - (2 * w + 1) * b0) / (eta * eta)
  const b1u = (-2 * w * b0 - (2 * w + 1) * b0u) / (eta * eta) - (2 * w * b1) / eta
  const b2 = (2 * eta * b1u + (1 + 2 * eta) * b1 - b0uu - b0u - 1 / 12) / (eta * eta)
  return b0 + (b1 + b2 / a) / a
}

/** Power series in u of b₀…b₅. */
function expansion(): Float64Array[] {
  const length = TERMS + 2 * ORDERS
  const slope = (c: Float64Array) => c.map((_, k) => (k + 1) * (c[k + 1] ?? 0))
  const product = (a: Float64Array, b: Float64Array) =>
    a.map((_, k) => a.subarray(0, k + 1).reduce((sum, own, i) => sum + own * b[k - i], 0))
  const eta = new Float64Array(length)
  for (let k = 1, power = 1; k < length; k++) eta[k] = power /= k
  const square = product(eta, eta)
  /** A series that begins with u², over η². */
  const overSquare = (c: Float64Array) => {
    const quotient = new Float64Array(length)
    for (let k = 0; k + 2 < length; k++) {
      quotient[k] = c[k + 2]
      for (let i = 0; i < k; i++) quotient[k] -= quotient[i] * square[k + 2 - i]
    }
    return quotient
  }
  const b = [overSquare(eta)]
  for (let n = 1; n < ORDERS; n++) {
    const last = b[n - 1]
    const lastSlope = slope(last)
    const before = slope(b[n - 2] ?? new Float64Array(length))
    const twice = slope(before)
    const grown = product(
      eta,
      last.map((own, k) => own + lastSlope[k]),
    )
    const sum = last.map((own, k) => own + 2 * grown[k] - twice[k] - before[k])
    // The two lowest powers cancel, the lowest with the score's coefficient cₙ.
    if (Math.abs(sum[0] - SCORES[n]) > 1e-10 || Math.abs(sum[1]) > 1e-10)
      throw new RangeError('the expansion by the shape is wrong')
    b.push(overSquare(sum))
  }
  return b
}
