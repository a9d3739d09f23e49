/** The form of API keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiKeyKind, newApiKey } from '../../src/secrets/keys.ts'

test('a new key has its prefix and 43 characters of base62', () => {
  assert.match(newApiKey('user'), /^qd_user_[0-9A-Za-z]{43}$/)
  assert.match(newApiKey('guest'), /^qd_guest_[0-9A-Za-z]{43}$/)
})

test('the kind of a key is read from its form', () => {
  assert.equal(apiKeyKind(newApiKey('user')), 'user')
  assert.equal(apiKeyKind(newApiKey('guest')), 'guest')
})

test('anything but the exact form is no key', () => {
  const key = newApiKey('user')
  const wrong = [
    '',
    key.slice(0, -1),
    `${key}a`,
    `${key}\n`,
    ` ${key}`,
    key.replace('qd_', 'QD_'),
    key.replace('user', 'admin'),
    `${key.slice(0, -1)}-`,
    `${key.slice(0, -1)}é`,
  ]
  for (const text of wrong) assert.equal(apiKeyKind(text), null, JSON.stringify(text))
})

test('no two of ten thousand keys are alike, and every character is drawn equally often', () => {
  const keys = Array.from({ length: 10_000 }, () => newApiKey('user'))
  assert.equal(new Set(keys).size, keys.length)
  const counts = new Map<string, number>()
  for (const key of keys)
    for (const character of key.slice(8)) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.equal(counts.size, 62)
  const expected = (43 * keys.length) / 62
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
  // 61 degrees of freedom: above 150 once in 10⁹ runs; a draw modulo 62 without rejection gives about 3,400.
  assert.ok(chiSquare < 150, `chi² ${chiSquare}`)
})
