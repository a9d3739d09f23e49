/** Accounts are served in share, by the work that they ask for. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { LAG_MS } from '../../../src/base/limits/callers.ts'
import { eventLoopShares } from '../../../src/compute/threads/event-loop-shares.ts'
import { fairQueue } from '../../../src/compute/threads/fair-queue.ts'

interface Task {
  readonly owner: number
  /** Milliseconds of processor time. */
  readonly takes: number
}

const share = (accountId: number, weight = 1, furtherThreads = 2) => ({ accountId, weight, furtherThreads })
const task = (owner: number, takes = 1): Task => ({ owner, takes })

/** A queue whose clock the test moves. */
function timed<Any>(threads: number) {
  let now = 0
  return {
    queue: fairQueue<Any>(threads, () => now),
    pass(ms: number): void {
      now += ms
    },
  }
}

/** Runs one task at a time; returns the owners in the order in which their tasks ran. */
function served(tasks: readonly Task[], weightOf = (_owner: number) => 1): number[] {
  const { pass, queue } = timed<Task>(1)
  for (const one of tasks) queue.add(share(one.owner, weightOf(one.owner)), one)
  const owners: number[] = []
  for (let begun = queue.next(); begun !== undefined; begun = queue.next()) {
    owners.push(begun.task.owner)
    pass(begun.task.takes)
    begun.ended(begun.task.takes)
  }
  return owners
}

describe('a fair queue', () => {
  it('lets an account with one task wait for one task of another, not for all of them', () => {
    assert.deepEqual(served([task(1), task(1), task(1), task(2)]), [1, 2, 1, 1])
  })

  it('counts time, not tasks', () => {
    const heavy = Array.from({ length: 3 }, () => task(1, 10))
    const light = Array.from({ length: 12 }, () => task(2, 1))
    assert.deepEqual(served([...heavy, ...light]), [1, ...Array(10).fill(2), 1, 2, 2, 1])
  })

  it('serves an account of twice the weight for twice the time', () => {
    const tasks = [1, 2].flatMap((owner) => Array.from({ length: 6 }, () => task(owner)))
    assert.deepEqual(
      served(tasks, (owner) => owner)
        .slice(0, 9)
        .filter((owner) => owner === 2).length,
      6,
    )
  })

  it('counts the time that a running task has used so far', () => {
    const { pass, queue } = timed<string>(2)
    queue.add(share(1), 'a1')
    queue.next()
    pass(10)
    for (const [owner, name] of [
      [1, 'a2'],
      [2, 'b1'],
    ] as const)
      queue.add(share(owner), name)
    assert.equal(queue.next()?.task, 'b1')
  })

  it('gives an account that was idle no credit for that time', () => {
    const { pass, queue } = timed<string>(1)
    for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(share(1), name)
    queue.add(share(2), 'b1')
    const run = () => {
      const begun = queue.next()!
      pass(1)
      begun.ended(1)
      return begun.task
    }
    assert.deepEqual([run(), run(), run(), run()], ['a1', 'b1', 'a2', 'a3'])
    for (const name of ['b2', 'b3', 'b4']) queue.add(share(2), name)
    assert.deepEqual([run(), run()].sort(), ['a4', 'b2'])
  })

  it('begins a further task for an account once each account that holds a thread is ahead of it', () => {
    const { pass, queue } = timed<string>(1)
    queue.add(share(1), 'a1')
    queue.next()
    queue.add(share(1), 'a2')
    queue.add(share(2), 'b1')
    assert.equal(queue.next(), undefined)
    pass(LAG_MS)
    assert.equal(queue.next()?.task, 'b1')
    pass(10 * LAG_MS)
    // Neither of the two may have a second thread.
    queue.add(share(2), 'b2')
    assert.equal(queue.next(), undefined)
  })

  it('begins no more tasks than the share of an account allows', () => {
    const { pass, queue } = timed<number>(1)
    const begun: (number | undefined)[] = []
    for (const [owner, further] of [
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 2],
      [5, 3],
    ] as const) {
      queue.add(share(owner, 1, further), owner)
      pass(LAG_MS)
      begun.push(queue.next()?.task)
    }
    assert.deepEqual(begun, [1, 2, 3, undefined, 5])
  })

  it('serves each of any tasks once, in the order of its account, and forgets all when it is idle', () => {
    const any = fc.record({ owner: fc.nat(3), takes: fc.nat(20) })
    fc.assert(
      fc.property(fc.array(any), (tasks) => {
        const queue = fairQueue<Task>(1, () => 0)
        for (const one of tasks) queue.add(share(one.owner), one)
        const seen: Task[] = []
        for (let begun = queue.next(); begun !== undefined; begun = queue.next()) {
          seen.push(begun.task)
          begun.ended(begun.task.takes)
        }
        for (let owner = 0; owner <= 3; owner++)
          assert.deepEqual(
            seen.filter((one) => one.owner === owner),
            tasks.filter((one) => one.owner === owner),
          )
        assert.deepEqual([queue.size, queue.running], [0, 0])
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
