/** Bodies that stop arriving. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { silenceWatch } from '../../src/pipeline/silence.ts'

const speaker = () => {
  const state = { destroyed: false }
  return { state, destroy: () => (state.destroyed = true) }
}

describe('a watch over silence', () => {
  it('gives up what has not been heard for the limit, and not what speaks now and then', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const watch = silenceWatch(10_000)
    const [silent, slow] = [speaker(), speaker()]
    watch.heard(silent)
    watch.heard(slow)
    for (let second = 0; second < 12; second++) {
      t.mock.timers.tick(1_000)
      if (second % 8 === 7) watch.heard(slow)
      if (second < 9) assert.equal(silent.state.destroyed, false, `given up after ${second + 1} s`)
    }
    assert.deepEqual([silent.state.destroyed, slow.state.destroyed], [true, false])
  })

  it('leaves alone what has ended, and begins anew after a while without any', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const watch = silenceWatch(10_000)
    const [ended, later] = [speaker(), speaker()]
    watch.heard(ended)
    watch.ended(ended)
    t.mock.timers.tick(30_000)
    assert.equal(ended.state.destroyed, false)
    watch.heard(later)
    t.mock.timers.tick(11_000)
    assert.equal(later.state.destroyed, true)
  })
})
