/** Selection against a full sort. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { orderStatistics, quantilePlace } from '../../../src/numerics/statistics/order-statistics.ts'

const random = seededRandom(2)
const fraction = () => random() / 2 ** 32

const distributions: Record<string, () => number> = {
  uniform: fraction,
  'one huge outlier': () => (fraction() < 0.001 ? 1e300 : fraction()),
  'every magnitude': () => 10 ** (600 * fraction() - 300),
  'the whole range of float64': () => (2 * fraction() - 1) * 1.7e308,
  'few distinct numbers': () => random() % 3,
  constant: () => 0.1,
  denormal: () => (random() % 100) * 5e-324,
}

for (const [name, draw] of Object.entries(distributions)) {
  test(`places are found in a sample of kind: ${name}`, () => {
    const values = Float64Array.from({ length: 5_000 }, draw)
    const copy = values.slice()
    const places = [0, 1, 1_249, 1_250, 2_500, 2_500, 4_998, 4_999]
    const sorted = values.toSorted()
    assert.deepEqual(
      orderStatistics(values, places),
      places.map((place) => sorted[place]),
    )
    assert.deepEqual(values, copy, 'the values stay as they are')
  })
}

test('short lists are sorted', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (list) => {
      const places = list.map((_, place) => place)
      assert.deepEqual(
        orderStatistics(Float64Array.from(list), places),
        list.toSorted((a, b) => a - b),
      )
    }),
  )
})

test('quantiles of type 7 interpolate between neighbours', () => {
  assert.deepEqual(quantilePlace(5, 0.25), { below: 1, above: 1, fraction: 0 })
  assert.deepEqual(quantilePlace(4, 0.25), { below: 0, above: 1, fraction: 0.75 })
  assert.deepEqual(quantilePlace(1, 0.75), { below: 0, above: 0, fraction: 0 })
})
