/** Multiplies square matrices in plain loops: the interface of matrix-workspace.ts without WebAssembly. */
import type { Matrix } from '../../../numerics/matrices/matrix.ts'
import type * as Wasm from '../../../numerics/matrices/matrix-workspace.ts'

type Square = Pick<Wasm.WorkMatrix, 'values'>

export function workspace(size: number, count: number): Wasm.Workspace {
  const matrices = Array.from({ length: count }, () => ({
    address: 0,
    values: new Float64Array(size * size),
  }))
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

export function product(left: Matrix, right: Matrix): Matrix {
  const values = new Float64Array(left.values.length)
  multiply(left.rows, left, right, { values })
  return { ...left, values }
}

/** Every function of matrix-workspace.ts but that of estimates, which browsers do not make. */
export default { workspace, load, unload, product } satisfies Omit<typeof Wasm, 'productMicros'>
