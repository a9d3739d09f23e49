/** Short numbers read from bytes against the engine's own reading. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readNumber } from '../../../src/compute/columns/read-number.ts'

/** The number at the beginning of a text, and the offset after it. */
function read(text: string): { number: number; end: number } {
  const numbers = Float64Array.of(Number.NaN)
  const end = readNumber(Buffer.from(text), 0, numbers, 0)
  return { number: numbers[0], end }
}

function assertLikeJson(text: string): void {
  assert.deepEqual(read(text), { number: JSON.parse(text), end: text.length }, text)
  assert.deepEqual(read(`${text},1`), { number: JSON.parse(text), end: text.length }, text)
}

const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,8}$/))
const digits = fc.stringMatching(/^[0-9]{1,8}$/)

describe('a short number in JSON text', () => {
  test('is the double that JSON.parse gives, bit for bit', () => {
    fc.assert(
      fc.property(fc.boolean(), whole, fc.option(digits), (minus, before, behind) => {
        const decimals = behind === null ? '' : `.${behind}`.slice(0, 10 - before.length)
        assertLikeJson(`${minus ? '-' : ''}${before}${decimals === '.' ? '' : decimals}`)
      }),
      { numRuns: 20_000 },
    )
  })

  test('keeps its sign at zero', () => {
    for (const text of ['-0', '0', '-0.0', '0.00000000', '999999999', '-0.99999999']) assertLikeJson(text)
  })

  test('has at most nine digits and no exponent', () => {
    for (const text of [
      '1234567890',
      '0.123456789',
      '1e5',
      '1E-5',
      '1.5e+3',
      '123456789012345678901234567890',
    ])
      assert.equal(read(text).end, -1, text)
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
