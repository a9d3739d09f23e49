/** Systems of linear equations, by Gauss' elimination with the largest pivot of each column. */

/** Solves a·x = b; both are overwritten, b by x. A singular matrix, row by row, gives numbers that are not finite. */
export function solveLinearSystem(a: Float64Array, b: Float64Array): void {
  const n = b.length
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let i = column + 1; i < n; i++)
      if (Math.abs(a[i * n + column]) > Math.abs(a[pivot * n + column])) pivot = i
    if (pivot !== column) exchangeRows(a, b, pivot, column)
    for (let i = column + 1; i < n; i++) {
      const factor = a[i * n + column] / a[column * n + column]
      for (let j = column + 1; j < n; j++) a[i * n + j] -= factor * a[column * n + j]
      b[i] -= factor * b[column]
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i]
    for (let j = i + 1; j < n; j++) sum -= a[i * n + j] * b[j]
    b[i] = sum / a[i * n + i]
  }
}

function exchangeRows(a: Float64Array, b: Float64Array, one: number, other: number): void {
  const n = b.length
  for (let j = 0; j < n; j++) {
    const value = a[one * n + j]
    a[one * n + j] = a[other * n + j]
    a[other * n + j] = value
  }
  const value = b[one]
  b[one] = b[other]
  b[other] = value
}
