/** The calls of a batch and the rows of columns, counted while they arrive. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { callCounter, rowCounter } from '../../../src/compute/body/call-counter.ts'

function count(text: string, cuts: readonly number[] = [], counter = callCounter()): number {
  const bytes = Buffer.from(text)
  let start = 0
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    counter.add(bytes.subarray(start, cut))
    start = cut
  }
  return counter.count
}

describe('the calls of a batch', () => {
  it('are counted as JSON.parse counts them, however the body is cut', () => {
    const spaced = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 20 }),
        spaced,
        fc.array(fc.nat(), { maxLength: 8 }),
        (calls, space, cuts) => {
          assert.equal(count(JSON.stringify({ calls }, null, space), cuts), calls.length)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are counted whatever their strings hold', () => {
    for (const text of ['],[', '\\', '"', '\\"},{', 'é"', '\\\\'])
      for (let cut = 0; cut < 40; cut++)
        assert.equal(count(JSON.stringify({ calls: [{ path: text }, text, {}] }), [cut]), 3)
  })

  it('are those of the last of several `calls` fields, as in JSON.parse', () => {
    for (const text of ['{"calls":[1,2,3],"calls":[1]}', '{"a":{"b":1,"c":2},"calls":[{}]}'])
      assert.equal(count(text), 1)
    assert.equal(count('{"calls":[]}'), 0)
  })

  it('include the one that is incomplete', () => {
    assert.equal(count('{"calls":[{"path":"a"},{"pa'), 2)
  })
})

describe('the rows of columns', () => {
  const rows = (text: string, cuts: readonly number[] = []) => count(text, cuts, rowCounter())

  it('are those of the longest column, however the body is cut', () => {
    const scalar = fc.oneof(fc.double({ noNaN: true }), fc.string())
    const columns = fc.dictionary(fc.string(), fc.oneof(scalar, fc.array(scalar, { maxLength: 9 })))
    fc.assert(
      fc.property(
        columns,
        fc.constantFrom(undefined, 1),
        fc.array(fc.nat(), { maxLength: 8 }),
        (given, space, cuts) => {
          const lengths = Object.values(given).map((one) => (Array.isArray(one) ? one.length : 1))
          assert.equal(rows(JSON.stringify({ columns: given }, null, space), cuts), Math.max(1, ...lengths))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are those of the last of several `columns` fields', () => {
    assert.equal(rows('{"columns":{"a":[1,2,3]},"columns":{"a":[1,2]}}'), 2)
    assert.equal(rows('{"columns":{"a":[1,2,3]},"columns":{"a":1}}'), 1)
  })
})
