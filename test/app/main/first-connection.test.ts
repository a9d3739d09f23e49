/** A start whose database cannot be reached. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { patiently } from '../../../src/app/main/foundation.ts'
import { NotCommitted } from '../../../src/ledger/store/store.ts'

it('a start that has waited for the database ends with a line that says how to go on', async () => {
  const open = () => Promise.reject(new NotCommitted('Cannot connect to PostgreSQL: refused'))
  await assert.rejects(patiently(open, { warn: () => undefined }, 'start it', 0), {
    name: 'ConfigError',
    message: 'Cannot connect to PostgreSQL: refused; start it.',
  })
})
