/** Which items share a group, and which result each gets. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { coalesce } from '../../src/base/coalesce.ts'

/** A function over groups whose results the test gives. */
function scripted() {
  const groups: { items: number[]; answer(): void; fail(error: Error): void }[] = []
  const run = (items: number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      groups.push({ items, answer: () => resolve(items.map((item) => item * 10)), fail: reject })
    })
  return { groups, run }
}

/** Time stands still for the group unless the test advances it, so that a busy machine changes nothing. */
function clockOf(t: TestContext) {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  return {
    advance(ms: number) {
      now += ms
    },
  }
}

/** A group that awaits callers, whose first item is in progress. */
async function begun(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  clockOf(t)
  const { groups, run } = scripted()
  const { add } = coalesce(run, { awaitsCallers: true })
  const results = [add(1)]
  await nextIteration()
  return { add, groups, results }
}

describe('a group', () => {
  it('takes what arrived in one iteration, in order, and gives each its own result', async () => {
    const { groups, run } = scripted()
    const { add } = coalesce(run)
    const results = Promise.all([add(1), add(2), add(3)])
    await nextIteration()
    assert.deepEqual(
      groups.map(({ items }) => items),
      [[1, 2, 3]],
    )
    groups[0].answer()
    assert.deepEqual(await results, [10, 20, 30])
  })

  it('waits for no timer', async () => {
    const { groups, run } = scripted()
    const result = coalesce(run).add(7)
    await nextIteration()
    assert.equal(groups.length, 1)
    groups[0].answer()
    assert.equal(await result, 70)
  })

  it('that runs gathers what arrives into the next one', async () => {
    const { groups, run } = scripted()
    const { add } = coalesce(run)
    const first = add(1)
    await nextIteration()
    const later = Promise.all([add(2), add(3)])
    await nextIteration()
    assert.equal(groups.length, 1)
    groups[0].answer()
    await first
    await nextIteration()
    assert.deepEqual(groups[1]?.items, [2, 3])
    groups[1].answer()
    assert.deepEqual(await later, [20, 30])
  })

  it('that is full does not stay open', async (t) => {
    clockOf(t)
    const { groups, run } = scripted()
    const { add } = coalesce(run, { awaitsCallers: true, maxItems: 2 })
    const results = [add(1)]
    await nextIteration()
    results.push(add(2), add(3))
    groups[0].answer()
    await results[0]
    await nextIteration()
    assert.deepEqual(groups[1]?.items, [2, 3])
    groups[1].answer()
    await Promise.all(results)
  })

  it('that awaits callers stays open until as many wait as were in progress, and a lone caller does not wait', async (t) => {
    const { add, groups, results } = await begun(t)
    assert.equal(groups.length, 1)
    results.push(add(2))
    groups[0].answer()
    await results[0]
    for (let i = 0; i < 3; i++) await nextIteration()
    assert.equal(groups.length, 1)
    results.push(add(3))
    for (let i = 0; i < 2; i++) await nextIteration()
    assert.deepEqual(groups[1]?.items, [2, 3])
    groups[1].answer()
    assert.deepEqual(await Promise.all(results), [10, 20, 30])
    const alone = add(4)
    await nextIteration()
    assert.equal(groups.length, 2)
    const both = [alone, add(5)]
    for (let i = 0; i < 2; i++) await nextIteration()
    assert.deepEqual(groups[2]?.items, [4, 5])
    groups[2].answer()
    assert.deepEqual(await Promise.all(both), [40, 50])
  })

  it('that awaits callers runs without those who do not come back, and then groups wait less and less often', async (t) => {
    const { add, groups, results } = await begun(t)
    /** Answers a group while the next item waits. Returns whether the group of that item has begun. */
    const answerBeside = async (item: number): Promise<boolean> => {
      const last = groups.length - 1
      results.push(add(item))
      groups[last].answer()
      await results[last]
      await nextIteration()
      return groups.length > last + 1
    }
    const awaited = async (item: number): Promise<void> => {
      assert.equal(await answerBeside(item), false)
      t.mock.timers.tick(1)
      await nextIteration()
      assert.deepEqual(groups.at(-1)?.items, [item])
    }
    await awaited(2)
    assert.equal(await answerBeside(3), true)
    await awaited(4)
    for (const item of [5, 6, 7]) assert.equal(await answerBeside(item), true)
    await awaited(8)
    groups.at(-1)?.answer()
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60, 70, 80])
  })

  it('that gathers stays open while each iteration brings another item, up to its limit', async (t) => {
    clockOf(t)
    const { groups, run } = scripted()
    const { add } = coalesce(run, { gatherIterations: 4 })
    const results = [add(1)]
    for (let i = 2; i <= 3; i++) {
      await nextIteration()
      results.push(add(i))
    }
    assert.equal(groups.length, 0)
    for (let i = 0; i < 2; i++) await nextIteration()
    assert.deepEqual(groups[0]?.items, [1, 2, 3])
    for (let i = 4; i <= 9; i++) results.push(add(i))
    groups[0].answer()
    await results[0]
    for (let i = 10; i <= 20; i++) {
      results.push(add(i))
      await nextIteration()
    }
    assert.equal(groups.length, 2)
    groups[1].answer()
    await results[8]
    for (let i = 0; i < 3; i++) await nextIteration()
    groups[2].answer()
    assert.deepEqual(
      await Promise.all(results),
      Array.from({ length: 20 }, (_, i) => (i + 1) * 10),
    )
  })

  it('is bounded; the rest follow in order', async () => {
    const { groups, run } = scripted()
    const { add } = coalesce(run, { maxItems: 2 })
    const results = Promise.all([1, 2, 3, 4, 5].map(add))
    for (let i = 0; i < 3; i++) {
      await nextIteration()
      groups[i].answer()
    }
    assert.deepEqual(await results, [10, 20, 30, 40, 50])
    assert.deepEqual(
      groups.map(({ items }) => items),
      [[1, 2], [3, 4], [5]],
    )
  })

  it('that fails its run fails its own items and no others', async () => {
    const { groups, run } = scripted()
    const { add } = coalesce(run)
    const lost = [add(1), add(2)]
    await nextIteration()
    const kept = add(3)
    groups[0].fail(new Error('away'))
    for (const one of lost) await assert.rejects(one, /away/)
    await nextIteration()
    groups[1].answer()
    assert.equal(await kept, 30)
  })

  it('that has not begun to run can be rejected', async () => {
    const { groups, run } = scripted()
    const { add, rejectWaiting } = coalesce(run)
    const first = add(1)
    await nextIteration()
    const waiting = [add(2), add(3)]
    rejectWaiting(new Error('not now'))
    for (const one of waiting) await assert.rejects(one, /not now/)
    groups[0].answer()
    assert.equal(await first, 10)
    const after = add(4)
    await nextIteration()
    groups[1].answer()
    assert.equal(await after, 40)
  })
})
