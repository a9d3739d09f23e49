/** Multiplies square matrices in plain loops: the interface of matrix-workspace.ts without WebAssembly. */
// @ts-nocheck: to be converted

export function workspace(size, count) {
  const matrices = Array.from({ length: count }, () => ({ values: new Float64Array(size * size) }))
  return { side: size, matrices, multiply: (left, right, target) => multiply(size, left, right, target) }
}

/** Sums over the inner index in ascending order, as the routine in WebAssembly does. */
function multiply(size, { values: left }, { values: right }, { values: target }) {
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      let sum = 0
      for (let inner = 0; inner < size; inner++)
        sum += left[row * size + inner] * right[inner * size + column]
      target[row * size + column] = sum
    }
}

export function load({ values }, target) {
  target.values.set(values)
}

export function unload({ values }, _side, size) {
  return { values: values.slice(), rows: size, columns: size }
}
