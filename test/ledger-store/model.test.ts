/** Random sequences of what callers and administrators may do, compared with a one-page model. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { holdAgainstModel } from './model.ts'

it('1,500 operations in any order leave balances, windows, headers and audit as the model predicts', async () => {
  const { operations } = await holdAgainstModel({ operations: 1_500, seed: 1, commandsPerRun: 100 })
  assert.ok(operations >= 1_500)
})
