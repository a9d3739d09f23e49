/** Multiplies square matrices in plain loops: the interface of matrix-workspace.ts without WebAssembly. */
import type { Matrix } from '../../../numerics/matrices/matrix.ts'
import type { WorkMatrix, Workspace } from '../../../numerics/matrices/matrix-workspace.ts'

type Square = Pick<WorkMatrix, 'values'>

export function workspace(size: number, count: number): Omit<Workspace, 'matrices'> & { matrices: Square[] } {
  const matrices = Array.from({ length: count }, () => ({ values: new Float64Array(size * size) }))
  return { side: size, matrices, multiply: (left, right, target) => multiply(size, left, right, target) }
}

/** Sums over the inner index in ascending order, as the routine in WebAssembly does. */
function multiply(
  size: number,
  { values: left }: Square,
  { values: right }: Square,
  { values: target }: Square,
): void {
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      let sum = 0
      for (let inner = 0; inner < size; inner++)
        sum += left[row * size + inner] * right[inner * size + column]
      target[row * size + column] = sum
    }
}

export function load({ values }: Matrix, target: Square): void {
  target.values.set(values)
}

export function unload({ values }: Square, _side: number, size: number): Matrix {
  return { values: values.slice(), rows: size, columns: size }
}
