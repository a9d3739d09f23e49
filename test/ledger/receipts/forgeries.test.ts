/** A slice of `npm run test:receipts`: forgeries of a small audit, each found, and the genuine one never accused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgedAudits } from '../../support/forged-audits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('every forgery of an audit is found against the exported checkpoints, and no genuine audit is accused', async () => {
  const folder = temporaryFolder('forged')
  const isPostgres =
    process.env.QUANTD_TEST_DATABASE === 'postgres' && process.env.QUANTD_TEST_CITUS === undefined
  const postgresUrl = isPostgres ? process.env.QUANTD_TEST_POSTGRES_URL! : null
  const rows = isPostgres ? 800 : 2_000
  const {
    accused,
    kinds,
    rows: written,
    unseen,
  } = await forgedAudits(folder, rows, rows / 5, 20_260_101, postgresUrl)
  // Retention has taken some.
  assert.ok(written >= rows / 2)
  assert.deepEqual(accused, [])
  assert.ok(unseen.tried > 0)
  assert.equal(unseen.found, 0)
  assert.deepEqual(
    Object.entries(kinds).filter(([, { found, tried }]) => found < tried),
    [],
  )
})
