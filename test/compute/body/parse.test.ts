/** Bytes → JSON, and where JSON breaks off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonErrorOffset, parse } from '../../../src/compute/body/parse.ts'
import { cpuTime } from '../../support/time-taken.ts'

const bytes = (text: string) => Buffer.from(text)
const invalid = (message: RegExp) => ({ name: 'Failure', code: 'invalid_json', message })

test('what JSON.parse takes is parsed to the same value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => assert.deepEqual(parse(bytes(text)), JSON.parse(text))),
    { numRuns: 500 },
  )
})

test('an error is located by line and column, both from 1', () => {
  for (const [text, place] of [
    ['{"a":1,}', 'line 1, column 8'],
    ['{\n"a" 1}', 'line 2, column 5'],
    ['[1,,2]', 'line 1, column 4'],
    ['{"a":01}', 'line 1, column 7'],
    ['[1, 2', 'line 1, column 6'],
    ['{a:1}', 'line 1, column 2'],
    ['[1]\n x', 'line 2, column 2'],
    ['nul', 'line 1, column 1'],
    ['"tab\there"', 'line 1, column 1'],
  ] as const)
    assert.throws(() => parse(bytes(text)), invalid(new RegExp(place)), text)
})

test('an invisible character is named by its number', () => {
  assert.throws(() => parse(bytes('\uFEFF{}')), invalid(/unexpected U\+FEFF at line 1, column 1/))
  assert.throws(() => parse(bytes('{\u00A0}')), invalid(/unexpected U\+00A0 at line 1, column 2/))
  assert.throws(() => parse(bytes("{'a'}")), invalid(/unexpected "'" at/))
})

test('the locator agrees with JSON.parse on what is JSON: a valid text is read to its end', () => {
  fc.assert(
    fc.property(fc.json(), (text) => assert.equal(jsonErrorOffset(text), text.length)),
    { numRuns: 500 },
  )
})

test('a broken text is located before its end, or at it where it is only too short', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('}', ']', ',', ':', '"', 'x'), (text, at, extra) => {
      const broken = text.slice(0, at % (text.length + 1)) + extra + text.slice(at % (text.length + 1))
      try {
        JSON.parse(broken)
      } catch {
        const offset = jsonErrorOffset(broken)
        assert.ok(offset >= 0 && offset <= broken.length)
        assert.throws(() => parse(bytes(broken)), invalid(/line \d+, column \d+/))
      }
    }),
    { numRuns: 1_000 },
  )
})

test('nesting of 32 is taken and 33 is refused; brackets in strings do not nest', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.doesNotThrow(() => parse(bytes(nested(32))))
  assert.throws(() => parse(bytes(nested(33))), invalid(/deeper than 32/))
  assert.doesNotThrow(() => parse(bytes(JSON.stringify(`\\"${'['.repeat(100)}`))))
})

test('the limits hold in a large body of few brackets and strings too', () => {
  const ones = '1,'.repeat(100_000)
  const within = (depth: number) => `[${ones}${'['.repeat(depth - 1)}${']'.repeat(depth)}`
  assert.equal((parse(bytes(within(32))) as unknown[]).length, 100_001)
  assert.throws(() => parse(bytes(within(33))), invalid(/deeper than 32/))
  assert.throws(() => parse(bytes(`[${'1,'.repeat(2_100_001)}1]`)), {
    code: 'invalid_input',
    message: /more than 1000000 numbers/,
  })
  const names = Array.from({ length: 2_500 }, (_, index) => `"n${index}":1`)
  assert.throws(() => parse(bytes(`[${ones}{${names}}]`)), {
    code: 'invalid_input',
    message: /more than 1000 different names and words/,
  })
})

test('bytes that are not UTF-8, and a byte order mark, are refused', () => {
  assert.throws(() => parse(Uint8Array.from([0x22, 0xff, 0x22])), invalid(/UTF-8/))
  assert.throws(() => parse(bytes('\ufeff{}')), invalid(/line 1, column 1/))
})

test('megabytes of nonsense are located in a time that grows with their length', () => {
  const ms = cpuTime(() => {
    assert.throws(() => parse(bytes(`["${'x'.repeat(4e6)}", 1 2]`)), invalid(/line 1, column 4000008/))
    assert.throws(() => parse(bytes(`[${'1,'.repeat(2e6)} 1 2]`)), invalid(/line 1, column 4000005/))
  })
  // A search that begins anew at each value would take hours.
  assert.ok(ms < 20_000, `${ms} ms`)
})
