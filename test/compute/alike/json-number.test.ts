/** Numbers read from bytes against the engine's own reading. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readNumber } from '../../../src/compute/alike/json-number.ts'

/** The number at the beginning of a text, and the offset after it. */
function read(text: string): { number: number; end: number } {
  const numbers = Float64Array.of(Number.NaN)
  const end = readNumber(Buffer.from(text), 0, numbers, 0)
  return { number: numbers[0]!, end }
}

function assertLikeJson(text: string): void {
  assert.deepEqual(read(text), { number: JSON.parse(text), end: text.length }, text)
  assert.deepEqual(read(`${text},1`), { number: JSON.parse(text), end: text.length }, text)
}

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`))
const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,24}$/))
const exponent = fc.integer({ min: -330, max: 330 })

describe('a number in JSON text', () => {
  test('is the double that JSON.parse gives, bit for bit', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) =>
        assertLikeJson(JSON.stringify(x)),
      ),
      { numRuns: 5_000 },
    )
    fc.assert(
      fc.property(
        fc.boolean(),
        whole,
        fc.option(digits(25)),
        fc.option(exponent),
        (minus, whole, part, e) => {
          const decimals = part === null ? '' : `.${part}`
          const power = e === null ? '' : `${e % 2 === 0 ? 'e' : 'E'}${e > 0 && e % 3 === 0 ? '+' : ''}${e}`
          assertLikeJson(`${minus ? '-' : ''}${whole}${decimals}${power}`)
        },
      ),
      { numRuns: 20_000 },
    )
  })

  test('keeps its sign at zero, and its last bit next to 2^53 and to ten to the 22nd', () => {
    for (const text of ['-0', '0', '-0.0', '9007199254740991', '9007199254740992', '9007199254740993'])
      assertLikeJson(text)
    for (const text of ['0.9007199254740993', '0.0000000000000000000001', '0.00000000000000000000001'])
      assertLikeJson(text)
    for (const text of ['900719925474099.3', '1e999', '-1e999', '5e-324', '2e-324', '1.7976931348623159e308'])
      assertLikeJson(text)
  })

  test('is none where JSON has none', () => {
    for (const text of ['', '-', '.5', '1.', '1.e5', '1e', '1e+', '+1', 'NaN', '-Infinity', 'x', '"1"'])
      assert.equal(read(text).end, -1, text)
  })

  test('ends where JSON ends it', () => {
    assert.equal(read('01').end, 1)
    assert.equal(read('1.2.3').end, 3)
    assert.equal(read('1-2').end, 1)
  })
})
