/**
 * Random sequences of what callers and administrators may do, compared with a one-page model: the short version of `npm run
 * test:model`.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { holdAgainstModel } from './model.ts'

const OPERATIONS = 300

it(`${OPERATIONS} operations in any order leave balances, windows, headers and audit as the model predicts`, async () => {
  const { operations } = await holdAgainstModel({ operations: OPERATIONS, seed: 1, commandsPerRun: 100 })
  assert.ok(operations >= OPERATIONS)
})
