/** The radix sort against the engine's own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { sortNumbers } from '../../../src/numerics/statistics/sort.ts'

const LENGTH = 5_000
const random = seededRandom(1)
const signed = () => random() / 2 ** 31 - 1

const inputs: Record<string, () => number> = {
  'numbers of both signs': signed,
  'positive numbers': () => random(),
  'negative numbers': () => -1 - random(),
  'every magnitude': () => signed() * 10 ** (signed() * 308),
  'denormal numbers': () => (random() - 2 ** 31) * 5e-324,
  'few distinct numbers': () => (random() % 5) - 2,
  'one number': () => 42,
  'one negative number': () => -42,
}

for (const [name, draw] of Object.entries(inputs)) {
  test(`${name} come out in ascending order`, () => {
    const values = Float64Array.from({ length: LENGTH }, () => draw() + 0)
    const expected = values.toSorted()
    assert.deepEqual(sortNumbers(values), expected)
  })
}

test('short lists come out in ascending order', () => {
  assert.deepEqual([...sortNumbers(Float64Array.of(3, -1, 2))], [-1, 2, 3])
  assert.deepEqual([...sortNumbers(new Float64Array(0))], [])
})
