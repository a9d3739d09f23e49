/** Identifiers that tell their time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeOfId, uuidv7 } from '../../src/base/ids.ts'

test('an identifier tells the time at which it was made, and other texts tell none', () => {
  const at = Date.UTC(2026, 10, 22, 2, 33)
  assert.equal(timeOfId(uuidv7(at)), at)
  for (const text of ['', 'request-7', '019b7a3c-8f10-4c55-9d6e-0f2b3a4c5d6e', `${uuidv7(at)}0`])
    assert.equal(timeOfId(text), null, text)
})
