/** Matrix products to the last bit, and powers that stop where nothing changes any more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFraction, seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { type Matrix, product, stochasticPower } from '../../../src/numerics/matrices/matrix.ts'

const random = seededRandom(11)

function square(size: number, cell: (row: number, column: number) => number): Matrix {
  const values = Float64Array.from({ length: size * size }, (_, i) => cell(Math.floor(i / size), i % size))
  return { values, rows: size, columns: size }
}

function byLoops(left: Matrix, right: Matrix): Matrix {
  return square(left.rows, (row, column) => {
    let sum = 0
    for (let k = 0; k < left.rows; k++)
      sum += left.values[row * left.rows + k] * right.values[k * left.rows + column]
    return sum
  })
}

/** Random rows that sum to 1. */
function chain(size: number): Matrix {
  const weights = square(size, () => randomFraction(random) ** 4)
  const sums = Array.from({ length: size }, (_, row) =>
    weights.values.subarray(row * size, (row + 1) * size).reduce((a, b) => a + b),
  )
  return square(size, (row, column) => weights.values[row * size + column] / sums[row])
}

test('products of any size are those of the plain loops, to the last bit', () => {
  for (const size of [200, 33, 9, 8, 7, 6, 5, 4, 3, 2, 1]) {
    const left = square(size, () => randomFraction(random) - 0.5)
    const right = square(size, () => randomFraction(random) - 0.5)
    assert.deepEqual(product(left, right), byLoops(left, right), `${size}`)
  }
})

test('zeros of the left matrix change nothing', () => {
  const cells: readonly ((row: number, column: number) => boolean)[] = [
    (row, column) => Math.abs(row - column) < 3,
    (row, column) => column === 17 || row === column,
    (row) => row > 20,
    (row, column) => row === 13 && column === 9,
    () => false,
  ]
  for (const filled of cells) {
    const left = square(26, (row, column) => (filled(row, column) ? randomFraction(random) : 0))
    const right = square(26, () => randomFraction(random))
    assert.deepEqual(product(left, right), byLoops(left, right))
  }
})

test('every exponent counts', () => {
  const base = square(2, (row, column) => (row === 0 ? [0.5, 0.5][column] : column))
  for (let exponent = 1; exponent <= 40; exponent++) {
    const { values } = stochasticPower(base, exponent)
    assert.deepEqual([...values], [2 ** -exponent, 1 - 2 ** -exponent, 0, 1])
  }
})

test('the base stays as it is', () => {
  const base = chain(7)
  const copy = base.values.slice()
  stochasticPower(base, 6)
  assert.deepEqual(base.values, copy)
})

test('a chain that forgets its start ends where one more period changes nothing', () => {
  for (const size of [2, 30, 100]) {
    const base = chain(size)
    const forgotten = stochasticPower(base, 10_000)
    const oneMore = byLoops(forgotten, base)
    const plain = stochasticPower(base, 100)
    forgotten.values.forEach((value, cell) => {
      assert.ok(Math.abs(oneMore.values[cell] / value - 1) < 1e-12)
      assert.ok(Math.abs(plain.values[cell] / value - 1) < 1e-12)
    })
  }
})
