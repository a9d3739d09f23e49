/** A slice of `npm run test:receipts`: forgeries of a small audit, each found, and the genuine one never accused. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { forgedAudits } from '../support/forged-audits.ts'

test('every forgery of an audit is found against the exported checkpoints, and no genuine audit is accused', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'quantd-forged-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { accused, kinds, rows } = await forgedAudits(folder, 2_000, 400, 20_260_101)
  assert.ok(rows >= 2_000)
  assert.deepEqual(accused, [])
  assert.deepEqual(
    Object.entries(kinds).filter(([, { found, tried }]) => found < tried),
    [],
  )
})
