/** Products of square matrices in the memory of a WebAssembly routine. */
import type { Matrix } from './matrix.ts'
import { productRoutine, TILE } from './matrix-product.ts'
import { assemble, newMemory } from './web-assembly.ts'

/** A square matrix on the workbench, its sides padded with zeros to a multiple of four. */
export interface Slot {
  readonly address: number
  readonly values: Float64Array
}

export interface Workbench {
  /** Sides of the padded matrices. */
  readonly side: number
  readonly slots: readonly Slot[]
  /** Writes left · right into target, which must be another slot. */
  multiply(left: Slot, right: Slot, target: Slot): void
}

const PAGE = 65_536
const memory = newMemory()
const multiplyTiles = assemble(productRoutine, memory)

/** Room for some square matrices; the room of an earlier workbench of the same thread is used again. */
export function workbench(size: number, slotCount: number): Workbench {
  const side = Math.ceil(size / TILE) * TILE
  const bytes = side * side * Float64Array.BYTES_PER_ELEMENT
  const list = slotCount * bytes
  const missing = list + (side / TILE) * Int32Array.BYTES_PER_ELEMENT - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
  const slots = Array.from({ length: slotCount }, (_, index) => ({
    address: index * bytes,
    values: new Float64Array(memory.buffer, index * bytes, side * side),
  }))
  return {
    side,
    slots,
    multiply: (left, right, target) => multiplyTiles(left.address, right.address, target.address, side, list),
  }
}

/** Copies a matrix into a slot. */
export function load(matrix: Matrix, slot: Slot, side: number): void {
  slot.values.fill(0)
  for (let row = 0; row < matrix.rows; row++)
    slot.values.set(matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns), row * side)
}

/** Copies a matrix of `size` rows and columns out of a slot. */
export function unload(slot: Slot, side: number, size: number): Matrix {
  const values = new Float64Array(size * size)
  for (let row = 0; row < size; row++)
    values.set(slot.values.subarray(row * side, row * side + size), row * size)
  return { values, rows: size, columns: size }
}
