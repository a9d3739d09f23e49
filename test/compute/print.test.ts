/** How results are printed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../src/catalogue/index.ts'
import { exactly, number, oneOf, withDefault } from '../../src/catalogue/schema.ts'
import { printer } from '../../src/compute/print.ts'

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

  it('may hold words anywhere among its numbers, such as need no escape', () => {
    const word = oneOf(['call', 'put', '', 'é'], 'a word')
    const schema = exactly({ first: word, x: number('x'), second: word, 'y"': number('y'), last: word })
    const result = { first: 'put', x: 1.5, second: '', 'y"': -0, last: 'é' }
    assert.equal(printer(schema)(result), JSON.stringify(result))
    assert.notEqual(printer(schema), JSON.stringify)
    assert.equal(printer(exactly({}))({}), '{}')
  })

  it('of anything else is left to the engine', () => {
    for (const property of [
      oneOf(['say "no"'], 'a quotation mark'),
      oneOf(['\n'], 'a line break'),
      withDefault(number('may be absent'), 1),
    ])
      assert.equal(printer(exactly({ x: number('x'), property })), JSON.stringify)
  })
})
