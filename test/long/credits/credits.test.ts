/** A balance of one under a thousand parallel calls: exactly one success, on one, three and five nodes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exactCredits } from './exact-credits.ts'

const isPostgres = process.env.QUANTD_TEST_DATABASE === 'postgres'

describe('a thousand parallel calls on a balance of one', () => {
  for (const nodes of isPostgres ? [1, 3, 5] : [1])
    it(`have exactly one success in every round on ${nodes} node${nodes === 1 ? '' : 's'}`, async () => {
      const tallies = await exactCredits({ nodes, rounds: 3 })
      assert.equal(tallies.length, 3)
      for (const { refused, succeeded } of tallies) {
        assert.equal(succeeded, 1)
        assert.ok(refused >= 999, `${refused} calls were refused`)
      }
    })
})
