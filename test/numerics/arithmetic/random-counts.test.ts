/** Random counts: what they sum to, and that their distributions are the stated ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { multinomialCounts, poissonCount } from '../../../src/numerics/arithmetic/random-counts.ts'

const DRAWS = 20_000

/** Mean and variance within five standard errors; those of a variance as of a normal distribution, a little wider. */
function assertMoments(values: readonly number[], mean: number, variance: number): void {
  const found = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  assert.ok(Math.abs(found - mean) <= 5 * Math.sqrt(variance / values.length), `mean ${found}, not ${mean}`)
  assert.ok(
    Math.abs(spread / variance - 1) <= 8 / Math.sqrt(values.length),
    `variance ${spread}, not ${variance}`,
  )
}

test('draws are divided among the cells, and each has a binomial share of them', () => {
  const random = seededRandom(11)
  for (const [total, weights] of [
    [100, [1, 2, 0, 4]],
    [1_000, [3, 997]],
    [33, [1, 1, 1]],
  ] as const) {
    const whole = weights.reduce((sum: number, weight) => sum + weight, 0)
    const drawn = Array.from({ length: DRAWS }, () =>
      multinomialCounts(random, total, Float64Array.from(weights)),
    )
    assert.ok(drawn.every((counts) => counts.reduce((sum, count) => sum + count, 0) === total))
    weights.forEach((weight, cell) => {
      const counts = drawn.map((one) => one[cell])
      if (weight === 0) assert.ok(counts.every((count) => count === 0))
      else assertMoments(counts, (total * weight) / whole, (total * weight * (whole - weight)) / whole ** 2)
    })
  }
  assert.deepEqual([...multinomialCounts(random, 7, Float64Array.of(0, 5, 0))], [0, 7, 0])
  assert.deepEqual([...multinomialCounts(random, 0, Float64Array.of(1, 1))], [0, 0])
})

test('each count of few draws is as frequent as the binomial distribution says', () => {
  const random = seededRandom(12)
  const found = [0, 0, 0, 0]
  for (let draw = 0; draw < DRAWS; draw++) found[multinomialCounts(random, 3, Float64Array.of(3, 7))[0]]++
  const chances = [0.343, 0.441, 0.189, 0.027]
  chances.forEach((chance, count) => {
    const error = Math.sqrt(DRAWS * chance * (1 - chance))
    assert.ok(Math.abs(found[count] - DRAWS * chance) <= 5 * error, `${found}`)
  })
})

test('Poisson counts have their mean as variance, also as sums', () => {
  const random = seededRandom(13)
  for (const mean of [1, 5, 64, 130]) {
    const counts = Array.from({ length: DRAWS }, () => poissonCount(random, mean))
    assertMoments(counts, mean, mean)
  }
  assert.equal(poissonCount(random, 0), 0)
})
