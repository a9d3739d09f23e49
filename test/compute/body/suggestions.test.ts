/** The known name that a misspelt one stands for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance, nearest } from '../../../src/compute/body/suggestions.ts'
import { cpuTime } from '../../support/time-taken.ts'

test('the edit distance counts insertions, deletions and substitutions', () => {
  for (const [a, b, edits] of [
    ['', '', 0],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['strike', 'strkie', 2],
  ] as const) {
    assert.equal(editDistance(a, b), edits)
    assert.equal(editDistance(b, a), edits)
  }
})

test('of several candidates the closest is named, whatever the letter case', () => {
  const names = ['/user/register', '/user/login', '/user/profile']
  assert.equal(nearest('/user/logn', names), '/user/login')
  assert.equal(nearest('/USER/PROFILES', names), '/user/profile')
})

test('a name that is far from all candidates has none', () => {
  assert.equal(nearest('zzz', ['spot', 'strike']), null)
  assert.equal(nearest('', ['spot']), null)
  assert.equal(nearest('spot', []), null)
})

test('the length of a name costs nothing', () => {
  const candidates = Array.from({ length: 50 }, (_, index) => `/quantlib/endpoint/number/${index}`)
  const long = Buffer.alloc(64 * 1024, '/quantlib').toString()
  const ms = cpuTime(() => {
    for (let i = 0; i < 1_000; i++) assert.equal(nearest(long, candidates), null)
  })
  assert.ok(ms < 1_000, `${ms} ms`)
})
