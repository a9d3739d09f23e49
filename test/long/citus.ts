/**
 * Runs the tests of the database on a Citus cluster of one coordinator and two workers: `npm run test:citus`, or `npm run
 * test:citus -- PATH …` for some. test/support/citus-cluster.ts says where the build of Citus is looked for; where there is
 * none, nothing is run.
 */
import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Outcome, report, total, verdict } from '../../scripts/outcome.ts'
import { runTests } from '../../scripts/run-tests.ts'
import { batchesOf, begins, DATABASE_GROUPS, ownSettingsRemoved } from '../../scripts/test-files.ts'
import { boundedQueue } from '../../src/base/bounded-queue.ts'
import { citusBuild, startCitus } from '../support/citus-cluster.ts'
import { makeTemplate } from '../support/template.ts'

/** Files of the database's groups that do not test the store on Citus, with the reason. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'test/ledger/store/sqlite': 'they lock and replace the files of SQLite',
  'test/ledger/store/audit-days': 'on Citus the audit has no partitions by day',
}
/** Files that kill servers of the cluster. */
const KILLING = ['test/ledger/store/citus']
const CONCURRENCY = 2

const root = resolve(import.meta.dirname, '../..')
process.chdir(root)
const build = citusBuild()
if ('absent' in build) {
  console.log(`Nothing was tested: ${build.absent}.`)
  console.log(verdict(total([])))
  process.exit()
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupted.abort()
    process.exit(1)
  })

const chosen = process.argv.slice(2).map((path) => relative(root, resolve(path)))
const files = globSync('test/**/*.test.ts')
  .filter((file) => begins(file, DATABASE_GROUPS) && !begins(file, Object.keys(EXCLUDED)))
  .filter((file) => chosen.length === 0 || begins(file, chosen))
  .sort()
for (const [name, reason] of Object.entries(EXCLUDED)) console.log(`excluded: ${name}* (${reason})`)

const outcomes: Outcome[] = []
/** Runs files on a new cluster: a killed server that has the databases of all other files takes minutes to start again. */
const run = async (name: string, batches: string[][], concurrent: number) => {
  if (batches.length === 0) return
  const started = performance.now()
  const cluster = await startCitus(build.programs)
  await makeTemplate(cluster.url)
  console.log(`The cluster started in ${((performance.now() - started) / 1_000).toFixed(1)} s.`)
  const env = {
    ...ownSettingsRemoved(process.env),
    QUANTD_TEST_DATABASE: 'postgres',
    QUANTD_TEST_POSTGRES_URL: cluster.url,
    QUANTD_TEST_CITUS: cluster.folder,
    // For the files that start a cluster of their own.
    QUANTD_CITUS: build.programs,
  }
  const options = { env, signal: interrupted.signal }
  outcomes.push(report(await runTests(name, batches, boundedQueue({ concurrent }), options)))
  cluster.stop()
}
const isKilling = (file: string) => begins(file, KILLING)
await run('citus', batchesOf(files.filter((file) => !isKilling(file))), CONCURRENCY)
await run('killed', batchesOf(files.filter(isKilling)), 1)

const sum = total(outcomes)
console.log(verdict(sum))
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0
