/** Any sequence of what callers and administrators may do, held against a model of a page. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { holdAgainstModel } from './model.ts'

it('1,500 operations in any order leave balances, windows, headers and audit as the model says', async () => {
  const { operations } = await holdAgainstModel({ operations: 1_500, seed: 1, commandsPerRun: 100 })
  assert.ok(operations >= 1_500)
})
