/** Nodes, interpolation and quadrature for the equations of an exercise boundary, computed once for each size. */
import { gaussLegendre } from '../../arithmetic/gauss-legendre.ts'

/**
 * The square H of ln(boundary/its limit at expiry) is a polynomial in ξ, through 0 at ξ = 0 and its values at the Chebyshev
 * points ξ₁ < … < ξ_n = 1 (Andersen, Lake & Offengenden 2016, section 5). Where H has a logarithmic singularity at expiry,
 * τ/T = ξ⁴ keeps its effect small. Elsewhere H is smooth in √τ, perhaps on a short scale, and √(τ/T) = sinh(stretch·ξ)/sinh(stretch).
 */
export interface Collocation {
  readonly size: number
  /** The stretch; undefined: τ/T = ξ⁴. */
  readonly stretch: number | undefined
  /** ξ₀ = 0, …, ξ_n. */
  readonly points: Float64Array
  /** τ/T at the points 1…n. */
  readonly times: Float64Array
  /** √(1 − u/τ) at each quadrature point, and its weight in the integral over u/τ. */
  readonly roots: Float64Array
  readonly weights: Float64Array
  /** Row (i, k): the coefficients of the values at the points in H at quadrature point k of time i. */
  readonly rows: Float64Array
}

const made = new Map<string, Collocation>()

export function collocation(size: number, quadratureSize: number, stretch: number | undefined): Collocation {
  const key = `${size} ${quadratureSize} ${stretch}`
  const known = made.get(key)
  if (known !== undefined) return known
  const points = Float64Array.from({ length: size + 1 }, (_, j) => Math.sin((Math.PI * j) / (2 * size)) ** 2)
  const times = points.subarray(1).map((point) => timeAt(point, stretch))
  const { nodes, weights } = gaussLegendre(quadratureSize)
  // u/τ = 1 − (1 − w^power)²: smooth in √(τ − u) at one end and in ξ at the other.
  const power = stretch === undefined ? 4 : 2
  const rows = new Float64Array(size * quadratureSize * size)
  for (let i = 0; i < size; i++)
    for (let k = 0; k < quadratureSize; k++) {
      const w = nodes[k] ** power
      const place = placeOf(times[i] * w * (2 - w), stretch)
      writeShares(points, place, rows, (i * quadratureSize + k) * size)
    }
  const scheme = {
    size,
    stretch,
    points,
    times,
    roots: nodes.map((w) => 1 - w ** power),
    weights: nodes.map((w, k) => 2 * (1 - w ** power) * power * w ** (power - 1) * weights[k]),
    rows,
  }
  made.set(key, scheme)
  return scheme
}

function timeAt(place: number, stretch: number | undefined): number {
  if (stretch === undefined) return place ** 4
  return stretch === 0 ? place * place : (Math.sinh(stretch * place) / Math.sinh(stretch)) ** 2
}

/** The ξ that belongs to τ/T. */
export function placeOf(time: number, stretch: number | undefined): number {
  const root = Math.sqrt(time)
  if (stretch === undefined) return Math.sqrt(root)
  return stretch === 0 ? root : Math.asinh(root * Math.sinh(stretch)) / stretch
}

/** Writes the coefficients of the polynomial at a place, by the barycentric formula; the value at point 0 is 0. */
function writeShares(points: Float64Array, place: number, into: Float64Array, offset: number): void {
  const size = points.length - 1
  let sum = 0.5 / (place - points[0])
  for (let j = 1; j <= size; j++) {
    const share = weightOf(j, size) / (place - points[j])
    sum += share
    into[offset + j - 1] = share
  }
  for (let j = 0; j < size; j++)
    into[offset + j] = place === points[j + 1] ? 1 : place === 0 ? 0 : into[offset + j] / sum
}

const weightOf = (j: number, size: number) => (j % 2 === 0 ? 1 : -1) * (j === size ? 0.5 : 1)

/** Interpolates H at τ/T from its values at the points 1…n. */
export function interpolated(scheme: Collocation, values: Float64Array, time: number): number {
  const { points, size, stretch } = scheme
  const place = placeOf(time, stretch)
  if (place === 0) return 0
  let sum = 0.5 / place
  let value = 0
  let sign = -1
  for (let j = 1; j <= size; j++) {
    const distance = place - points[j]
    if (distance === 0) return values[j - 1]
    const share = (j === size ? 0.5 * sign : sign) / distance
    sum += share
    value += share * values[j - 1]
    sign = -sign
  }
  return value / sum
}
