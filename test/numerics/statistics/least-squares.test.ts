/** Minima of sums of squares that are known. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  conditionNumber,
  leastSquares,
  newtonMinimum,
  rowsOfInverse,
} from '../../../src/numerics/statistics/least-squares.ts'

test('the minimum of the valley of Rosenbrock is found from far away', () => {
  const problem = {
    parameters: 2,
    residuals: 2,
    evaluate: ([x, y]: Float64Array, residuals: Float64Array, [byX, byY]: readonly Float64Array[]) => {
      residuals.set([10 * (y - x * x), 1 - x])
      byX.set([-20 * x, -1])
      byY.set([10, 0])
      return true
    },
  }
  const found = leastSquares(problem, Float64Array.of(-1.2, 1), { mostSteps: 100 })!
  assert.ok(Math.hypot(found.at[0] - 1, found.at[1] - 1) < 1e-12, String(found.at))
  assert.ok(found.steps < 40)
})

test('a search that leaves the domain turns back, and one that begins outside finds nothing', () => {
  const problem = {
    parameters: 1,
    residuals: 2,
    evaluate: ([x]: Float64Array, residuals: Float64Array, [byX]: readonly Float64Array[]) => {
      residuals.set([Math.log(x) - 1, 0.5])
      byX.set([1 / x, 0])
      return x > 0
    },
  }
  const found = leastSquares(problem, Float64Array.of(30), { mostSteps: 100 })!
  assert.ok(Math.abs(found.at[0] - Math.E) < 1e-9)
  assert.ok(found.nextChange < 1e-9)
  assert.equal(leastSquares(problem, Float64Array.of(-1), { mostSteps: 100 }), undefined)
})

test('condition and standard errors are those of the matrix of products', () => {
  const triangle = [Float64Array.of(3, 0), Float64Array.of(4, 5)]
  // The singular values are 3√5 and √5.
  assert.ok(Math.abs(conditionNumber(triangle) - 3) < 1e-14)
  const errors = rowsOfInverse(triangle)
  // (RᵀR)⁻¹ = [[41, −12], [−12, 9]]/225.
  assert.ok(Math.abs(errors[0] - Math.sqrt(41 / 225)) < 1e-15)
  assert.ok(Math.abs(errors[1] - Math.sqrt(9 / 225)) < 1e-15)
  assert.equal(conditionNumber([Float64Array.of(1, 0), Float64Array.of(0, 0)]), Number.POSITIVE_INFINITY)
})

test('steps of Newton settle a minimum with large residuals, where those of Gauss and Newton swing', () => {
  // The sum of squares of x² − 3 + (…) has its minimum where its slope is 0; the curvature of the residuals is most of its own.
  const problem = {
    parameters: 2,
    residuals: 3,
    evaluate: ([x, y]: Float64Array, residuals: Float64Array, [byX, byY]: readonly Float64Array[]) => {
      residuals.set([x * x + y - 11, x + y * y - 7, 5 * Math.exp(0.3 * x) - 20])
      byX.set([2 * x, 1, 1.5 * Math.exp(0.3 * x)])
      byY.set([1, 2 * y, 0])
      return true
    },
  }
  const near = leastSquares(problem, Float64Array.of(3, 1), { mostSteps: 2 })!
  const found = newtonMinimum(problem, near, { mostSteps: 8 })
  const further = leastSquares(problem, found.at, { mostSteps: 200 })!
  assert.ok(found.isSettled && found.nextChange < 1e-9, String(found.nextChange))
  assert.ok(found.sumOfSquares <= further.sumOfSquares * (1 + 1e-14))
})
