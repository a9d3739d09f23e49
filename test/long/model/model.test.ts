/** Random sequences of what callers and administrators may do, compared with a one-page model. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { holdAgainstModel } from './model.ts'

/** Fewer on Citus, where each clean-up has two phases on every server. */
const OPERATIONS = process.env.QUANTD_TEST_CITUS === undefined ? 1_500 : 300

it(`${OPERATIONS} operations in any order leave balances, windows, headers and audit as the model predicts`, async () => {
  const { operations } = await holdAgainstModel({ operations: OPERATIONS, seed: 1, commandsPerRun: 100 })
  assert.ok(operations >= OPERATIONS)
})
