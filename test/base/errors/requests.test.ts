/** Failures: what they carry, and what they cost to make. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { internal } from '../../../src/base/errors/requests.ts'
import { Failure } from '../../../src/base/failure.ts'
import { Refused } from '../../../src/ledger/metering/refused.ts'

const FRAME = /\n\s+at /

test('an expected failure captures no stack trace; the errors after it do', () => {
  const failure = new Failure('invalid_json', 'The body is not valid JSON.')
  assert.doesNotMatch(failure.stack ?? '', FRAME)
  assert.doesNotMatch(new Refused(failure, null, 1).stack ?? '', FRAME)
  assert.match(new Error('a bug').stack!, FRAME)
})

test('the failure that stands for a bug keeps the stack trace of its cause', () => {
  const cause = new Error('a bug')
  assert.equal(internal(cause).cause, cause)
  assert.match(cause.stack!, FRAME)
})
