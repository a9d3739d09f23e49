/** Products of square matrices in the memory of a WebAssembly routine. */
import { spend } from '../budget.ts'
import type { Matrix } from './matrix.ts'
import { productRoutine, TILE } from './matrix-product.ts'
import { assemble, newMemory } from './web-assembly.ts'

/** A square matrix of the workspace, padded with zeros to a side that is a multiple of four. */
export interface WorkMatrix {
  readonly address: number
  readonly values: Float64Array
}

export interface Workspace {
  /** Side of the padded matrices. */
  readonly side: number
  readonly matrices: readonly WorkMatrix[]
  /** Writes left · right into target, which must be another matrix. */
  multiply(left: WorkMatrix, right: WorkMatrix, target: WorkMatrix): void
}

const PAGE = 65_536
const memory = newMemory()
const multiplyTiles = assemble(productRoutine, memory)

/**
 * Memory for `count` square matrices. A thread has one such memory, which the next workspace overwrites: copy results out
 * by `unload` before.
 */
export function workspace(size: number, count: number): Workspace {
  const side = Math.ceil(size / TILE) * TILE
  const bytes = side * side * Float64Array.BYTES_PER_ELEMENT
  const list = count * bytes
  const missing = list + (side / TILE) * Int32Array.BYTES_PER_ELEMENT - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  const matrices = Array.from({ length: count }, (_, index) => ({
    address: index * bytes,
    values: new Float64Array(memory.buffer, index * bytes, side * side),
  }))
  return {
    side,
    matrices,
    multiply: (left, right, target) => multiplyTiles(left.address, right.address, target.address, side, list),
  }
}

/** Copies a matrix into the workspace. */
export function load(matrix: Matrix, target: WorkMatrix, side: number): void {
  target.values.fill(0)
  for (let row = 0; row < matrix.rows; row++)
    target.values.set(matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns), row * side)
}

/** Copies a matrix of `size` rows and columns out of the workspace. */
export function unload(source: WorkMatrix, side: number, size: number): Matrix {
  const values = new Float64Array(size * size)
  for (let row = 0; row < size; row++)
    values.set(source.values.subarray(row * side, row * side + size), row * size)
  return { values, rows: size, columns: size }
}

/** The product of two square matrices of one size. */
export function product(left: Matrix, right: Matrix): Matrix {
  spend(productMicros(left.rows))
  const { side, matrices, multiply } = workspace(left.rows, 3)
  const [first, second, target] = matrices
  load(left, first, side)
  load(right, second, side)
  multiply(first, second, target)
  return unload(target, side, left.rows)
}

/** The time of a product of this size, in microseconds. */
export const productMicros = (size: number): number => 1 + 0.006 * size ** 2 + 0.0001 * size ** 3
