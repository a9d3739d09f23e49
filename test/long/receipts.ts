/**
 * Forges a proven audit: `npm run test:receipts -- [ROWS] [FORGERIES] [postgres]`, by default 100,000 rows, of which retention
 * leaves some three quarters, and 10,000 forgeries on SQLite. Prints what was tried and found, by kind.
 */
import { wholeNumber } from '../../src/base/text.ts'
import { forgedAudits } from '../support/forged-audits.ts'
import { startPostgres } from '../support/postgres.ts'
import { makeTemplate } from '../support/template.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const given = (place: number, usual: string): number =>
  wholeNumber(process.argv[place] ?? usual, 1, 100_000_000) ?? usage()

function usage(): never {
  console.error('Usage: npm run test:receipts -- [ROWS] [FORGERIES] [postgres]; whole numbers from 1.')
  process.exit(2)
}

const [rows, forgeries] = [given(2, '100000'), given(3, '10000')]
const server = process.argv[4] === 'postgres' ? await startPostgres() : null
if (server !== null) await makeTemplate(server.url)
const folder = temporaryFolder('forged')
try {
  const tally = await forgedAudits(folder, rows, forgeries, 7, server?.url ?? null)
  let [tried, found] = [0, 0]
  for (const [kind, of] of Object.entries(tally.kinds).sort()) {
    console.log(
      `${kind.padEnd(56)} ${String(of.tried).padStart(6)} tried ${String(of.found).padStart(6)} found`,
    )
    tried += of.tried
    found += of.found
  }
  console.log(
    `${tally.rows} rows: ${found} of ${tried} forgeries found, ${tally.accused.length} faults of genuine audits`,
  )
  console.log(
    `${tally.unseen.tried} histories that were signed again were checked without the checkpoints that show it: ${tally.unseen.found} found`,
  )
  if (found < tried || tally.unseen.found > 0 || tally.accused.length > 0) process.exitCode = 1
} finally {
  await server?.stop()
}
