/** The pauses of accounts whose tasks cost a thread. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pauses } from '../../../src/compute/threads/pauses.ts'

const ACCOUNT = 1

function paused() {
  let now = 0
  const { add, refusal } = pauses(() => now)
  return {
    pass(seconds: number): void {
      now += seconds * 1_000
    },
    add: (heldSeconds: number, account = ACCOUNT) => add(account, heldSeconds * 1_000),
    /** Seconds until the account gets a thread again. */
    left: (account = ACCOUNT) => refusal(account)?.retryAfterSeconds ?? 0,
  }
}

describe('the pause of an account', () => {
  it('is as long as its task held the thread, and at least a second', () => {
    const { add, left } = paused()
    add(30)
    add(0.01, 2)
    assert.deepEqual([left(), left(2), left(3)], [30, 1, 0])
  })

  it('doubles with each further task, up to five minutes', () => {
    const { add, left, pass } = paused()
    const seen: number[] = []
    for (let i = 0; i < 5; i++) {
      add(30)
      seen.push(left())
      pass(left())
    }
    assert.equal(left(), 0)
    assert.deepEqual(seen, [30, 60, 120, 240, 300])
  })

  it('does not shrink by a task that ended meanwhile', () => {
    const { add, left } = paused()
    add(30)
    add(1)
    assert.equal(left(), 30)
  })

  it('begins anew after ten quiet minutes', () => {
    const { add, left, pass } = paused()
    add(30)
    pass(left() + 600)
    add(30)
    assert.equal(left(), 60)
    pass(left() + 601)
    add(30)
    assert.equal(left(), 30)
  })

  it('is forgotten once more than 10,000 accounts have had a later one', () => {
    const { add, left } = paused()
    for (let account = 1; account <= 10_001; account++) add(30, account)
    assert.deepEqual([left(1), left(2)], [0, 30])
  })
})
