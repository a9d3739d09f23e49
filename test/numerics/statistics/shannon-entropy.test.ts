/** Shannon entropy against 60 digits, its bounds and its refusals. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { shannonEntropy } from '../../../src/numerics/statistics/shannon-entropy.ts'
import { assertRefused } from '../answer.ts'

const entropy = (probabilities: readonly number[], base = Math.E) =>
  shannonEntropy(Float64Array.from(probabilities), base)

const distribution = fc
  .array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 100 })
  .filter((counts) => counts.some((count) => count > 0))
  .map((counts) => {
    const total = counts.reduce((sum, count) => sum + count)
    return counts.map((count) => count / total)
  })

test('entropy lies between 0 and the logarithm of the number of outcomes', () => {
  fc.assert(
    fc.property(distribution, (probabilities) => {
      const nats = entropy(probabilities)
      assert.ok(nats >= -1e-15 && nats <= Math.log(probabilities.length) + 1e-14)
    }),
  )
})

test('changing the base only changes the unit, also to a base below 1', () => {
  fc.assert(
    fc.property(distribution, fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (probabilities, base) => {
      fc.pre(base !== 1)
      const expected = entropy(probabilities) / Math.log(base)
      assert.ok(Math.abs(entropy(probabilities, base) - expected) <= 1e-14 * Math.abs(expected))
    }),
  )
  assert.equal(entropy([0.5, 0.5], 0.5), -1)
})

test('dyadic distributions have their exact entropy in bits', () => {
  for (let bits = 0; bits <= 12; bits++) assert.equal(entropy(new Array(2 ** bits).fill(2 ** -bits), 2), bits)
})

test('a certain outcome has entropy 0, not −0', () => {
  assert.ok(Object.is(entropy([1]), 0))
  assert.ok(Object.is(entropy([0, 1, -0], 0.5), 0))
})

test('a term below the normal doubles loses no digits where a base near 1 makes the entropy a normal number', () => {
  // −2⁻¹⁰⁷⁴·ln(2⁻¹⁰⁷⁴)/ln(1 + 2⁻⁵²) to 60 digits.
  assert.ok(Math.abs(entropy([2 ** -1_074, 1], 1 + 2 ** -52) / 1.656434143257486e-305 - 1) < 1e-14)
  assert.equal(entropy([2 ** -1_074, 1], 2), 1_074 * 2 ** -1_074)
})

test('many terms lose no digits', () => {
  const random = seededRandom(3)
  const weights = Array.from({ length: 200_000 }, () => random() >>> 10)
  const total = weights.reduce((sum, weight) => sum + weight)
  const probabilities = weights.map((weight) => weight / total)
  // The same sum over sorted terms, smallest first in blocks: another order, far less rounding than left to right.
  const terms = probabilities.map((p) => (p === 0 ? 0 : -p * Math.log(p))).sort((a, b) => a - b)
  const blocks = Array.from({ length: 500 }, (_, i) => terms.slice(i * 400, (i + 1) * 400))
  const sum = blocks.map((block) => block.reduce((a, b) => a + b)).reduce((a, b) => a + b)
  assert.ok(Math.abs(entropy(probabilities) / sum - 1) < 1e-14)
})

test('a base very close to 1 or at the ends of float64 gives a finite entropy', () => {
  assert.ok(Math.abs((entropy([0.5, 0.5], 1 + 2 ** -52) * 2 ** -52) / Math.LN2 - 1) < 1e-14)
  assert.ok(entropy([0.5, 0.5], 1 - 2 ** -53) < -6e15)
  for (const base of [5e-324, 1.7e308]) assert.ok(Math.abs(entropy([0.5, 0.5], base)) < 1e-2)
})

test('denormal probabilities count', () => {
  assert.ok(Math.abs(entropy([5e-324, 1]) - 744.4400719213812 * 5e-324) <= 5e-324)
})

test('probabilities that do not sum to 1 are refused with the sum found', () => {
  assert.throws(() => entropy([0.5, 0.4]), /the sum is 0\.9$/)
  for (const probabilities of [[0], [1, 1], [1.000002], [0.999998], [1e308, 1e308]])
    assertRefused('probabilities', () => entropy(probabilities))
  assert.ok(Number.isFinite(entropy([0.5, 0.500001])))
  assert.ok(Number.isFinite(entropy([0.5, 0.499999])))
})

test('a negative probability is refused by its place', () => {
  assertRefused('probabilities.1', () => entropy([0.5, -0.5, 1]))
})

test('a base of 1, 0 or below is refused', () => {
  for (const base of [1, 0, -2, Number.NaN]) assertRefused('base', () => entropy([1], base))
})
