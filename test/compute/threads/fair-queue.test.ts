/** Accounts are served in share, by the work that they ask for. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { eventLoopShares } from '../../../src/compute/threads/event-loop-shares.ts'
import { fairQueue } from '../../../src/compute/threads/fair-queue.ts'

/** Runs one task at a time; returns the owners in the order in which their tasks ran. */
function served(tasks: readonly { owner: number; estimate: number; taken: number }[]): number[] {
  const queue = fairQueue<(typeof tasks)[number]>()
  for (const task of tasks) queue.add(task.owner, task, task.estimate)
  const owners: number[] = []
  for (let task = queue.next(); task !== undefined; task = queue.next()) {
    owners.push(task.owner)
    queue.ended(task.owner, task.estimate, task.taken)
  }
  return owners
}
const task = (owner: number, estimate = 1, taken = estimate) => ({ owner, estimate, taken })

describe('a fair queue', () => {
  it('lets an account with one task wait for one task of another, not for all of them', () => {
    assert.deepEqual(served([task(1), task(1), task(1), task(2)]), [1, 2, 1, 1])
  })

  it('counts work, not tasks', () => {
    const heavy = Array.from({ length: 3 }, () => task(1, 10))
    const light = Array.from({ length: 12 }, () => task(2, 1))
    assert.deepEqual(served([...heavy, ...light]), [1, ...Array(10).fill(2), 1, 2, 2, 1])
  })

  it('replaces the estimated work by the measured work', () => {
    assert.deepEqual(served([task(1, 1, 100), task(1), task(2), task(2), task(2)]), [1, 2, 2, 2, 1])
  })

  it('gives an account that was idle no credit for that time', () => {
    const queue = fairQueue<string>()
    for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(1, name, 1)
    queue.add(2, 'b1', 1)
    for (let i = 0; i < 4; i++) {
      queue.next()
      queue.ended(i === 1 ? 2 : 1, 1, 1)
    }
    for (const name of ['b2', 'b3', 'b4']) queue.add(2, name, 1)
    assert.deepEqual([queue.next(), queue.next()].sort(), ['a4', 'b2'])
  })

  it('serves each of any tasks once, in the order of its account, and forgets all when it is idle', () => {
    const any = fc.record({ owner: fc.nat(3), estimate: fc.nat(9), taken: fc.nat(20) })
    fc.assert(
      fc.property(fc.array(any), (tasks) => {
        const queue = fairQueue<(typeof tasks)[number]>()
        for (const one of tasks) queue.add(one.owner, one, one.estimate)
        const seen: typeof tasks = []
        for (let one = queue.next(); one !== undefined; one = queue.next()) {
          seen.push(one)
          queue.ended(one.owner, one.estimate, one.taken)
        }
        for (let owner = 0; owner <= 3; owner++)
          assert.deepEqual(
            seen.filter((one) => one.owner === owner),
            tasks.filter((one) => one.owner === owner),
          )
        assert.equal(queue.size, 0)
      }),
    )
  })
})

describe('the shares of the event loop', () => {
  it('let an account that has used its own wait for the next iteration, and no other account', async () => {
    const shares = eventLoopShares(2)
    const work = () => {
      const until = performance.now() + 3
      while (performance.now() < until);
    }
    assert.equal(shares.waitForShare(1), null)
    shares.run(1, work)
    assert.equal(shares.waitForShare(2), null)
    const share = shares.waitForShare(1)
    assert.ok(share !== null)
    await share
    assert.equal(shares.waitForShare(1), null)
  })
})
