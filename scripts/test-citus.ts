/**
 * Runs the tests of the database on a Citus cluster: `npm run test:citus -- PATH …` for some. QUANTD_CITUS names a folder
 * with two programs: `start FOLDER PORT` starts a coordinator and two workers and prints the coordinator's URL as its last
 * line, `stop FOLDER` ends them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { freePort } from '../test/free-port.ts'
import { report, verdict } from './outcome.ts'
import { runTests } from './run-tests.ts'

const SUITES = ['test/store', 'test/ledger-store', 'test/accounts', 'test/contract']
/** They are about the files of SQLite, or about one server's locks, sessions and plans. */
const OF_ONE_SERVER = [
  ...['test/store/sqlite-locked', 'test/store/sqlite-lookup', 'test/store/query-plans'],
  ...['test/store/postgres-locks', 'test/store/postgres-connection', 'test/store/queued'],
]
/** Each file makes databases on three servers, which the other files wait for. */
const CONCURRENCY = 2

const root = resolve(import.meta.dirname, '..')
process.chdir(root)
const programs = process.env.QUANTD_CITUS
if (programs === undefined || !existsSync(join(programs, 'start'))) {
  console.log(
    'SKIPPED: set QUANTD_CITUS to a folder with the programs `start` and `stop` of a Citus cluster.',
  )
  console.log('0 passed, 0 failed, 1 skipped')
  process.exit(0)
}

const chosen = process.argv.slice(2).map((path) => relative(root, resolve(path)))
const begins = (file: string, paths: readonly string[]) => paths.some((path) => file.startsWith(path))
const batches = globSync('test/**/*.test.ts')
  .filter((file) => begins(file, SUITES) && !begins(file, OF_ONE_SERVER))
  .filter((file) => chosen.length === 0 || begins(file, chosen))
  .sort()
  .map((file) => [file])

const folder = join(await mkdtemp(join(tmpdir(), 'quantd-citus-')), 'cluster')
/** The folder is for the database's own user. */
spawnSync('chmod', ['a+rx', resolve(folder, '..')])
const started = spawnSync(join(programs, 'start'), [folder, String(await freePort())], { encoding: 'utf8' })
try {
  if (started.status !== 0) throw new Error(`The Citus cluster did not start:\n${started.stderr}`)
  const url = started.stdout.trim().split('\n').at(-1)!
  const outcome = await runTests('citus', batches, CONCURRENCY, new AbortController().signal, {
    ...process.env,
    QUANTD_TEST_DATABASE: 'postgres',
    QUANTD_TEST_POSTGRES_URL: url,
    QUANTD_TEST_CITUS: folder,
  })
  report(outcome)
  console.log(verdict(outcome))
  process.exitCode = outcome.failed > 0 || outcome.passed === 0 ? 1 : 0
} finally {
  spawnSync(join(programs, 'stop'), [folder], { stdio: 'inherit' })
}
