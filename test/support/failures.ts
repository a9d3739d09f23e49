/** The failures that the contract describes. */
import assert from 'node:assert/strict'
import type { Answer } from './service.ts'

/** Status, code and the whole envelope. */
export function assertFailure(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], answer.text)
  assert.equal(answer.body.success, false)
  assert.equal(typeof answer.body.message, 'string')
  assert.ok(answer.body.message.length > 0)
  assert.equal(answer.body.error.request_id, answer.headers.get('x-request-id'))
  for (const detail of answer.body.error.details ?? []) {
    assert.equal(typeof detail.path, 'string')
    assert.equal(typeof detail.message, 'string')
  }
}

/** Invalid input, which costs nothing; the first detail has this path and message. */
export function assertRefused(answer: Answer, path: string, message: RegExp): void {
  assertFailure(answer, 422, 'invalid_input')
  assert.equal(answer.body.error.details[0].path, path, answer.text)
  assert.match(answer.body.error.details[0].message, message)
  assert.equal(answer.headers.get('x-credits-cost'), '0')
}
