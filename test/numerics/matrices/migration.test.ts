/** Migration matrices against exact integer arithmetic, and the laws of Markov chains. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { flatten, unflatten } from '../../../src/numerics/matrices/matrix.ts'
import { migration } from '../../../src/numerics/matrices/migration.ts'
import { assertRefused, rows } from '../answer.ts'

type Rows = number[][]

/** Transition and multi-period matrix as rows. */
function project(counts: Rows, periods: number): { once: Rows; later: Rows } {
  const { transition, multiPeriod } = migration(flatten(counts, 'counts'), periods)
  return { once: unflatten(transition), later: unflatten(multiPeriod) }
}

const sumOf = (row: readonly number[]) => row.reduce((sum, value) => sum + value)

function assertStochastic(rows: Rows): void {
  for (const row of rows) {
    assert.ok(row.every((value) => value >= 0))
    assert.ok(Math.abs(sumOf(row) - 1) <= row.length * 2 ** -52, `a row sums to ${sumOf(row)}`)
  }
}

/** Largest difference of two matrices relative to the entries of the second. */
function worstError(got: Rows, exact: Rows): number {
  const errors = got.flatMap((row, i) =>
    row.map((value, j) => (value === exact[i][j] ? 0 : Math.abs(value / exact[i][j] - 1))),
  )
  return Math.max(...errors)
}

const counts = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const count = fc.oneof(
    fc.constant(0),
    fc.nat({ max: 5_000 }),
    fc.double({ min: 0, max: 1.7e308, noNaN: true }),
  )
  const row = fc.array(count, { minLength: size, maxLength: size })
  return fc.array(row, { minLength: size, maxLength: size })
})

test('rows sum to 1 whatever the counts and the number of periods', () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 10_000 }), (rows, periods) => {
      const { once, later } = project(rows, periods)
      assertStochastic(once)
      assertStochastic(later)
    }),
  )
})

test('going on for some periods more is multiplying (Chapman–Kolmogorov)', () => {
  const period = fc.integer({ min: 1, max: 60 })
  const positive = fc.array(fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 4, maxLength: 4 }), {
    minLength: 4,
    maxLength: 4,
  })
  fc.assert(
    fc.property(positive, period, period, (rows, first, second) => {
      const left = project(rows, first).later
      const right = project(rows, second).later
      const product = left.map((row) => row.map((_, j) => sumOf(row.map((value, k) => value * right[k][j]))))
      assert.ok(worstError(project(rows, first + second).later, product) < 1e-13)
    }),
  )
})

test('a rating without counts is absorbing', () => {
  const { once, later } = project(rows('8 2; 0 0'), 10_000)
  assert.deepEqual(once[1], [0, 1])
  assert.deepEqual(later[1], [0, 1])
  assert.ok(Math.abs(later[0][1] - 1) <= 2 ** -52)
})

test('probabilities far below one keep their digits over many periods', () => {
  const periods = 10_000
  const { later } = project(rows('1e15 1; 0 1'), periods)
  // 1 − (1 − p)ⁿ with p = 1/(10¹⁵ + 1).
  const exact = -Math.expm1(periods * Math.log1p(-1 / (1e15 + 1)))
  assert.ok(Math.abs(later[0][1] / exact - 1) < 2 ** -53 * 6 * (periods + 1))
})

test('a slowly mixing chain is the same by one projection as by two', () => {
  const size = 30
  const rows = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i === j ? 1_000 : Math.abs(i - j) === 1 ? 1 : 0)),
  )
  const half = project(rows, 5_000).later
  const squared = half.map((row) => row.map((_, j) => sumOf(row.map((value, k) => value * half[k][j]))))
  assert.ok(worstError(project(rows, 10_000).later, squared) < 1e-11)
})

test('counts whose sum overflows are counts like others', () => {
  assert.deepEqual(project(rows('1e308 1e308 0; 1e308 1e308 1e308; 0 1.7e308 1.7e308'), 1).once, [
    [0.5, 0.5, 0],
    [1 / 3, 1 / 3, 1 / 3],
    [0, 0.5, 0.5],
  ])
  assert.deepEqual(
    project(
      [
        [5e-324, 5e-324],
        [0, 5e-324],
      ],
      1,
    ).once,
    rows('0.5 0.5; 0 1'),
  )
})

test('the largest matrix and the most periods are stochastic still', () => {
  const size = 200
  const rows = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i * 7 + j * 13) % 11),
  )
  const { later } = project(rows, 10_000)
  assertStochastic(later)
})

test('matrices that are not square are refused', () => {
  assertRefused('counts', () => project([[1, 2]], 1))
  assertRefused('counts.1', () => project([[1, 2], [1]], 1))
})
