/** The notebook of the examples, run by Jupyter's own client on a service. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { useService } from '../support/people.ts'
import { openAccount } from './account.ts'
import { lacking, python } from './python.ts'

const SCRIPT = join(import.meta.dirname, '../../examples/notebook.py')
/** The credits that the notebook needs. */
const CREDITS = 2_000

const service = await useService()

test('the notebook on the volatility smile prints the texts and makes the pictures that are kept, and docs/tutorials/ has both', {
  skip: lacking('nbclient', 'ipykernel', 'numpy', 'pandas', 'matplotlib'),
}, async () => {
  const env = await openAccount(service, { credits: CREDITS })
  // The kernel must choose how it shows pictures.
  const { code, stderr, stdout } = await python([SCRIPT, 'volatility-smile', '--check'], {
    env: { ...env, MPLBACKEND: 'module://matplotlib_inline.backend_inline' },
  })
  assert.equal(code, 0, stdout + stderr)
  assert.match(stdout, /, 3 pictures$/m)
})
