/** How results are printed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../src/catalogue/index.ts'
import { printer } from '../../src/pipeline/print.ts'

describe('a result', () => {
  it('is printed as JSON.stringify prints it, for every operation', () => {
    for (const { example, output, path } of operations)
      assert.equal(printer(output)(example.output), JSON.stringify(example.output), path)
  })

  it('keeps every digit of a number, and has no negative zero', () => {
    const { example, output } = operations.find(({ path }) => path.endsWith('/utility/log'))!
    const print = printer(output)
    for (const x of [0, -0, 0.1 + 0.2, 1e21, 5e-324, -1.7976931348623157e308, 123456789.123]) {
      const result = Object.fromEntries(Object.keys(example.output).map((name) => [name, x]))
      assert.equal(print(result), JSON.stringify(result))
    }
  })
})
