/** The principal logarithm of a matrix of transition probabilities. */
import { gaussLegendre } from '../arithmetic/gauss-legendre.ts'
import { identity, inverse } from './inverse.ts'
import type { Matrix } from './matrix.ts'
import { product } from './matrix-product.ts'

const { nodes, weights } = gaussLegendre(8)
/** Norm up to which eight points give the logarithm of 1 + x to 2⁻⁵³ (Higham 2008, ch. 11). */
const REACH = 0.34
const MOST_ROOTS = 60
/** An eigenvalue of 1e-30 takes fifty steps; a negative one never converges. */
const MOST_STEPS = 80
/** Largest accepted difference between an entry of the matrix and of the power of its root. */
const LARGEST_RESIDUAL = 1e-9

/**
 * The logarithm of a matrix whose rows, like those of its roots, sum to 1. Inverse scaling and squaring (Kenney & Laub 1989):
 * square roots until the matrix is near to the identity, then the partial fractions of a Padé approximant. Undefined where the
 * matrix has an eigenvalue that is 0 or negative, or so near to one that its roots have no nine digits.
 */
export function logarithm(matrix: Matrix): Matrix | undefined {
  const { rows: size } = matrix
  let root = matrix
  let roots = 0
  for (; !(distance(root) <= REACH); roots++) {
    const next = roots < MOST_ROOTS ? squareRoot(root) : undefined
    if (next === undefined) return undefined
    root = next
  }
  let power = root
  for (let k = 0; k < roots; k++) power = product(power, power)
  if (!power.values.every((value, i) => Math.abs(value - matrix.values[i]) <= LARGEST_RESIDUAL))
    return undefined
  const offset = lessIdentity(root)
  let sum = combination(offset, 0, offset, 0)
  for (const [i, node] of nodes.entries()) {
    const part = inverse(combination(identity(size), 1, offset, node))
    if (part === undefined) return undefined
    sum = combination(sum, 1, part, weights[i])
  }
  const scaled = product(offset, sum)
  for (let cell = 0; cell < scaled.values.length; cell++) scaled.values[cell] *= 2 ** roots
  return scaled
}

/**
 * The product form of the iteration of Denman & Beavers (Cheng, Higham, Kenney & Laub 2001), unscaled. Undefined where
 * it does not converge.
 */
function squareRoot(matrix: Matrix): Matrix | undefined {
  const unit = identity(matrix.rows)
  let root = matrix
  let rest = matrix
  const tolerance = 4 * matrix.rows * 2 ** -53
  for (let step = 0; step < MOST_STEPS; step++) {
    const inverted = inverse(rest)
    if (inverted === undefined) return undefined
    root = product(root, combination(unit, 0.5, inverted, 0.5))
    rest = combination(unit, 0.5, combination(rest, 0.25, inverted, 0.25), 1)
    if (distance(rest) <= tolerance) return root
  }
  return undefined
}

function combination(one: Matrix, a: number, other: Matrix, b: number): Matrix {
  return { ...one, values: one.values.map((value, i) => a * value + b * other.values[i]) }
}

/** The diagonal from the rest of each row, so that small rates of leaving keep all digits. */
function lessIdentity({ values, rows: size, columns }: Matrix): Matrix {
  const offset = values.slice()
  for (let row = 0; row < size; row++) {
    const entries = offset.subarray(row * size, (row + 1) * size)
    entries[row] = 0
    entries[row] = -entries.reduce((sum, value) => sum + value, 0)
  }
  return { values: offset, rows: size, columns }
}

/** The largest row sum of |matrix − identity|; NaN where an entry is not finite. */
function distance({ values, rows: size }: Matrix): number {
  let most = 0
  for (let row = 0; row < size; row++) {
    let sum = 0
    for (let column = 0; column < size; column++)
      sum += Math.abs(values[row * size + column] - (row === column ? 1 : 0))
    if (!(sum <= most)) most = sum
  }
  return most
}
