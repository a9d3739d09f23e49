/** Bodies that stop arriving. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silenceWatch } from '../../src/body/silence.ts'

const LIMIT_MS = 1_000
/** Two of them are over the limit. */
const PART_MS = 600

const connection = () => {
  const line = { isDestroyed: false, destroy: () => (line.isDestroyed = true) }
  return line
}

describe('a watch over silence', { concurrency: true }, () => {
  it('gives up a connection that owes the rest of a body, and not one that speaks now and then', async () => {
    const watch = silenceWatch(LIMIT_MS)
    const [silent, slow] = [connection(), connection()]
    for (let part = 0; part < 5; part++) {
      if (part === 0) watch.heard(silent)
      watch.heard(slow)
      await sleep(PART_MS)
    }
    assert.deepEqual([silent.isDestroyed, slow.isDestroyed], [true, false])
  })

  it('leaves an idle connection alone, until the next body on it falls silent', async () => {
    const watch = silenceWatch(LIMIT_MS)
    const line = connection()
    watch.heard(line)
    watch.ended(line)
    await sleep(2 * LIMIT_MS)
    assert.equal(line.isDestroyed, false)
    watch.heard(line)
    await sleep(2 * LIMIT_MS)
    assert.equal(line.isDestroyed, true)
  })
})
