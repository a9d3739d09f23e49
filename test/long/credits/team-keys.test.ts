/** Team keys on one node and on three. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callsAfterTheEnd, callsWithinCap, spentAcrossMidnight } from './team-keys.ts'

const counts = process.env.QUANTD_TEST_DATABASE === 'postgres' ? [3] : [1]

for (const nodes of counts)
  describe(`a team key on ${nodes} node${nodes === 1 ? '' : 's'}`, () => {
    it('has exactly as many successes as its cap among 1,000 parallel calls and 20 rotations', async () => {
      assert.equal(await callsWithinCap({ nodes, cap: 100, calls: 1_000, rotations: 20 }), 100)
    })

    it('spends a daily cap once a day, also while calls run across midnight', async () => {
      assert.deepEqual(await spentAcrossMidnight({ nodes, cap: 40 }), [40, 40])
    })

    it('is accepted by no node after the reply that it was revoked or replaced', async () => {
      const { accepted, before, tries } = await callsAfterTheEnd({ nodes, keys: 8, callsPerKey: 100 })
      assert.deepEqual([accepted, tries >= 800, before > 0], [0, true, true])
    })
  })
