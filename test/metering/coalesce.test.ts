/** Group commit: which items share a batch, and who is told what. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { coalesce } from '../../src/metering/coalesce.ts'

/** A function over batches whose answers the test gives. */
function scripted() {
  const batches: { items: number[]; answer(): void; fail(error: Error): void }[] = []
  const run = (items: number[]): Promise<number[]> =>
    new Promise((resolve, reject) => {
      batches.push({ items, answer: () => resolve(items.map((item) => item * 10)), fail: reject })
    })
  return { batches, run }
}

describe('a batch', () => {
  it('takes what arrived in one turn, in order, and gives each its own result', async () => {
    const { batches, run } = scripted()
    const { add } = coalesce(run)
    const results = Promise.all([add(1), add(2), add(3)])
    await turn()
    assert.deepEqual(
      batches.map(({ items }) => items),
      [[1, 2, 3]],
    )
    batches[0]!.answer()
    assert.deepEqual(await results, [10, 20, 30])
  })

  it('waits for no timer', async () => {
    const { batches, run } = scripted()
    const result = coalesce(run).add(7)
    await turn()
    assert.equal(batches.length, 1)
    batches[0]!.answer()
    assert.equal(await result, 70)
  })

  it('under way gathers what arrives into the next one', async () => {
    const { batches, run } = scripted()
    const { add } = coalesce(run)
    const first = add(1)
    await turn()
    const later = Promise.all([add(2), add(3)])
    await turn()
    assert.equal(batches.length, 1)
    batches[0]!.answer()
    await first
    await turn()
    assert.deepEqual(batches[1]?.items, [2, 3])
    batches[1]!.answer()
    assert.deepEqual(await later, [20, 30])
  })

  it('that waited stays open for a few turns, if it should, and a lone item does not wait for that', async () => {
    const { batches, run } = scripted()
    const { add } = coalesce(run, { lingerTurns: 3 })
    const results = [add(1)]
    await turn()
    assert.equal(batches.length, 1)
    results.push(add(2))
    batches[0]!.answer()
    await results[0]
    results.push(add(3))
    await turn()
    results.push(add(4))
    assert.equal(batches.length, 1)
    for (let i = 0; i < 3; i++) await turn()
    assert.deepEqual(batches[1]?.items, [2, 3, 4])
    batches[1]!.answer()
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40])
  })

  it('that should gather stays open while each turn brings another item, and not for longer than it may', async () => {
    const { batches, run } = scripted()
    const { add } = coalesce(run, { gatherTurns: 4 })
    const results = [add(1)]
    for (let i = 2; i <= 3; i++) {
      await turn()
      results.push(add(i))
    }
    assert.equal(batches.length, 0)
    for (let i = 0; i < 2; i++) await turn()
    assert.deepEqual(batches[0]?.items, [1, 2, 3])
    for (let i = 4; i <= 9; i++) results.push(add(i))
    batches[0]!.answer()
    await results[0]
    for (let i = 10; i <= 20; i++) {
      results.push(add(i))
      await turn()
    }
    assert.equal(batches.length, 2)
    batches[1]!.answer()
    await results[8]
    for (let i = 0; i < 3; i++) await turn()
    batches[2]!.answer()
    assert.deepEqual(
      await Promise.all(results),
      Array.from({ length: 20 }, (_, i) => (i + 1) * 10),
    )
  })

  it('is bounded; the rest follow in order', async () => {
    const { batches, run } = scripted()
    const { add } = coalesce(run, { maxItems: 2 })
    const results = Promise.all([1, 2, 3, 4, 5].map(add))
    for (let i = 0; i < 3; i++) {
      await turn()
      batches[i]!.answer()
    }
    assert.deepEqual(await results, [10, 20, 30, 40, 50])
    assert.deepEqual(
      batches.map(({ items }) => items),
      [[1, 2], [3, 4], [5]],
    )
  })

  it('that fails fails its own items and no others', async () => {
    const { batches, run } = scripted()
    const { add } = coalesce(run)
    const lost = [add(1), add(2)]
    await turn()
    const kept = add(3)
    batches[0]!.fail(new Error('away'))
    for (const one of lost) await assert.rejects(one, /away/)
    await turn()
    batches[1]!.answer()
    assert.equal(await kept, 30)
  })

  it('that has not begun can be refused', async () => {
    const { batches, run } = scripted()
    const { add, rejectWaiting } = coalesce(run)
    const first = add(1)
    await turn()
    const waiting = [add(2), add(3)]
    rejectWaiting(new Error('not now'))
    for (const one of waiting) await assert.rejects(one, /not now/)
    batches[0]!.answer()
    assert.equal(await first, 10)
    const after = add(4)
    await turn()
    batches[1]!.answer()
    assert.equal(await after, 40)
  })
})
