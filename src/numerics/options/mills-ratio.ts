/**
 * Mills' ratio of the normal distribution, R(y) = (1 − Φ(y))/φ(y) = √(π/2)·erfcx(y/√2), by a table built when the module loads.
 */

/** √(2π). */
const SQRT_TWO_PI = 2.5066282746310007
/** 1/√(2π), the normal density at 0. */
export const NORMAL_PEAK = 0.3989422804014327

/** `millsDifference` uses the divided difference for t up to this share of y + 4. */
const NARROW = 1 / 16
/** A difference over it is a derivative to the last digit. */
const MINUTE = 2 ** -40
const TERMS = 16
const CELLS_PER_OCTAVE = 16
const OCTAVES = 7
/** Cell j holds the arguments y whose y + 4 has the leading bits j: cells widen with y as R flattens. */
const SHIFT = 4
const LOWEST = 1 - SHIFT
const HIGHEST = 2 ** OCTAVES - SHIFT

const float = new Float64Array(1)
const word = new Uint32Array(float.buffer)
const HIGH_WORD = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0

const centres = new Float64Array(OCTAVES * CELLS_PER_OCTAVE)
const table = new Float64Array(OCTAVES * CELLS_PER_OCTAVE * TERMS)
fillTable()

/** R(y) for every y ≥ −37 (below, it overflows). Relative error about 4e-16. */
export function millsRatio(y: number): number {
  if (y < LOWEST) return SQRT_TWO_PI * Math.exp(0.5 * y * y) - millsRatio(-y)
  if (y >= HIGHEST) return farMillsRatio(y)
  const cell = cellOf(y)
  const a = y - centres[cell]
  const at = cell * TERMS
  const aa = a * a
  let even = table[at + TERMS - 2]
  let odd = table[at + TERMS - 1]
  for (let k = at + TERMS - 4; k >= at; k -= 2) {
    even = even * aa + table[k]
    odd = odd * aa + table[k + 1]
  }
  return even + a * odd
}

/** R(y − t) − R(y + t) for 0 ≤ y < 120 and t from 0 up to y + 3, without cancellation where t is small. */
export const millsDifference = (y: number, t: number): number => millsPair(y, t, unused)
const unused = new Float64Array(2)

/**
 * `millsDifference`, which also writes R(y − t) and R(y + t) into `pair`. Where t is small both come from one polynomial, whose
 * divided difference is summed by Horner recurrences beside those of its value. (Even and odd powers are summed apart, for a
 * shorter chain of dependent operations.)
 */
export function millsPair(y: number, t: number, pair: Float64Array): number {
  if (t > NARROW * (y + SHIFT)) {
    pair[0] = millsRatio(y - t)
    pair[1] = millsRatio(y + t)
    return pair[0] - pair[1]
  }
  const cell = cellOf(y)
  const offset = y - centres[cell]
  const a = offset - t
  const b = offset + t
  const at = cell * TERMS
  const aa = a * a
  const bb = b * b
  let even = table[at + TERMS - 2]
  let odd = table[at + TERMS - 1]
  let evenSlope = even
  let oddSlope = odd
  for (let k = at + TERMS - 4; k > at; k -= 2) {
    even = even * aa + table[k]
    odd = odd * aa + table[k + 1]
    evenSlope = evenSlope * bb + even
    oddSlope = oddSlope * bb + odd
  }
  odd = odd * aa + table[at + 1]
  // [E(a²) + a·O(a²) − E(b²) − b·O(b²)]/(a − b), from the divided differences of E and O.
  const difference = -2 * t * ((a + b) * (evenSlope + b * oddSlope) + odd)
  pair[0] = even * aa + table[at] + a * odd
  pair[1] = pair[0] - difference
  return difference
}

/** 1 − y·R(y) = −R′(y) for y ≥ 0, without cancellation. Relative error about 1e-15. */
export function millsSlope(y: number): number {
  if (y < HIGHEST) return millsDifference(y, MINUTE) / (2 * MINUTE)
  const w = 1 / (y * y)
  return w * (1 - w * (3 - w * (15 - w * (105 - w * 945))))
}

function cellOf(y: number): number {
  float[0] = y + SHIFT
  return (word[HIGH_WORD] >>> 16) - (1023 << 4)
}

/** The asymptotic series 1/y − 1/y³ + 3/y⁵ − … (Laplace 1812); four terms suffice from y = 124. */
function farMillsRatio(y: number): number {
  const w = 1 / (y * y)
  return (1 - w * (1 - w * (3 - w * (15 - w * 105)))) / y
}

/** Each cell's polynomial: the Taylor series of R about its centre, shortened by Lanczos' economisation. */
function fillTable(): void {
  const degree = 30
  for (let cell = 0; cell < centres.length; cell++) {
    const octave = 2 ** Math.floor(cell / CELLS_PER_OCTAVE)
    const width = octave / CELLS_PER_OCTAVE
    centres[cell] = octave * (1 + ((cell % CELLS_PER_OCTAVE) + 0.5) / CELLS_PER_OCTAVE) - SHIFT
    const taylor = taylorCoefficients(centres[cell], degree)
    const slope = taylor.slice(1).map((c, k) => c * (k + 1))
    economise(slope, TERMS - 1, width / 2 + NARROW * (centres[cell] + SHIFT + width / 2))
    table[cell * TERMS] = taylor[0]
    for (let k = 1; k < TERMS; k++) table[cell * TERMS + k] = slope[k - 1] / k
  }
}

/**
 * R^{(k)}(y)/k!, k = 0…degree. For y > 0 the ratios of successive derivatives are the tails of Laplace's continued
 * fraction R(y) = 1/(y + 1/(y + 2/(y + 3/…))), run backwards; for y < 0 they follow from R(−y) by
 * R(y) = √(2π)·exp(y²/2) − R(−y) and (−1)^{k+1} R^{(k+1)} = −y·|R^{(k)}| + k·|R^{(k−1)}|, all terms positive.
 */
function taylorCoefficients(y: number, degree: number): number[] {
  const size: number[] = []
  if (y > 0) {
    const depth = degree + Math.ceil(400 / (y * y)) + 60
    let ratio = Math.sqrt(depth)
    const ratios: number[] = []
    for (let k = depth; k > 0; k--) {
      ratio = k / (y + ratio)
      if (k <= degree) ratios[k] = ratio
    }
    size.push(1 / (y + ratio))
    for (let k = 1; k <= degree; k++) size.push((size[k - 1] * ratios[k]) / k)
  } else {
    const first = SQRT_TWO_PI * Math.exp(0.5 * y * y) - taylorCoefficients(-y, 1)[0]
    size.push(first, 1 - y * first)
    for (let k = 1; k < degree; k++) size.push((size[k - 1] - y * size[k]) / (k + 1))
  }
  return size.map((c, k) => (k % 2 === 0 ? c : -c))
}

/** Lowers a polynomial on [−radius, radius] to `terms` coefficients, dropping Chebyshev terms from the top. */
function economise(coefficients: number[], terms: number, radius: number): void {
  for (let n = coefficients.length - 1; n >= terms; n--) {
    // T_n(z)/2^{n−1} = z^n + …: successive coefficients by their hypergeometric ratio.
    let c = coefficients[n]
    for (let k = 0; n - 2 * k >= 2; k++) {
      c *= (-(n - 2 * k) * (n - 2 * k - 1) * radius * radius) / (4 * (k + 1) * (n - k - 1))
      coefficients[n - 2 * k - 2] -= c
    }
    coefficients[n] = 0
  }
}
