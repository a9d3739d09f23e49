/** Bytes compared with what is expected there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { behind, literal, viewed } from '../../../src/compute/alike/literal.ts'

const LONGEST = 13

test('a literal of any length is found where it stands, and at no other place', () => {
  const text = fc.stringMatching(/^[ab]{0,40}$/)
  fc.assert(
    fc.property(text, fc.nat(LONGEST), fc.nat(40), fc.nat(7), (text, length, from, offset) => {
      const expected = text.slice(from, from + length)
      // The bytes of a body need not begin where their memory does.
      const body = viewed(Buffer.from('x'.repeat(offset) + text).subarray(offset))
      for (let start = 0; start <= text.length; start++)
        assert.equal(
          behind(literal(expected), body, start),
          text.startsWith(expected, start) ? start + expected.length : -1,
        )
    }),
  )
})

test('each byte of a literal counts', () => {
  for (let length = 1; length <= LONGEST; length++) {
    const text = 'abcdefghijklm'.slice(0, length)
    for (let index = 0; index < length; index++) {
      const other = Buffer.from(text)
      other[index]! ^= 0x80
      assert.equal(behind(literal(text), viewed(other), 0), -1, `${text}: byte ${index}`)
    }
    assert.equal(behind(literal(text), viewed(Buffer.from(text)), 0), length)
  }
})

test('a literal cut short by the end of the bytes is not found', () => {
  for (let length = 1; length <= LONGEST; length++) {
    const text = 'abcdefghijklm'.slice(0, length)
    assert.equal(behind(literal(text), viewed(Buffer.from(text.slice(0, -1))), 0), -1)
    assert.equal(behind(literal(text), viewed(Buffer.from(text).subarray(0, length - 1)), 0), -1)
  }
})
