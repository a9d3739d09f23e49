/** Systems of linear equations, by Gauss' elimination with the largest pivot of each column. */

/**
 * Overwrites a matrix, row by row, by its factors, and `exchanged` by the row that was exchanged with each one, which it
 * returns.
 */
export function factorise(a: Float64Array, exchanged: Int32Array): Int32Array {
  const n = exchanged.length
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let i = column + 1; i < n; i++)
      if (Math.abs(a[i * n + column]) > Math.abs(a[pivot * n + column])) pivot = i
    exchanged[column] = pivot
    if (pivot !== column) exchangeRows(a, n, pivot, column)
    const inverse = 1 / a[column * n + column]
    for (let i = column + 1; i < n; i++) {
      const factor = a[i * n + column] * inverse
      a[i * n + column] = factor
      for (let j = column + 1; j < n; j++) a[i * n + j] -= factor * a[column * n + j]
    }
  }
  return exchanged
}

/** Overwrites b by the solution of the system whose matrix was factorised; a singular one gives numbers that are not finite. */
export function solveFactorised(a: Float64Array, exchanged: Int32Array, b: Float64Array): void {
  const n = b.length
  for (let column = 0; column < n; column++) {
    const value = b[exchanged[column]]
    b[exchanged[column]] = b[column]
    b[column] = value
  }
  for (let i = 1; i < n; i++) {
    let sum = b[i]
    for (let j = 0; j < i; j++) sum -= a[i * n + j] * b[j]
    b[i] = sum
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i]
    for (let j = i + 1; j < n; j++) sum -= a[i * n + j] * b[j]
    b[i] = sum / a[i * n + i]
  }
}

function exchangeRows(a: Float64Array, n: number, one: number, other: number): void {
  for (let j = 0; j < n; j++) {
    const value = a[one * n + j]
    a[one * n + j] = a[other * n + j]
    a[other * n + j] = value
  }
}
