/**
 * Runs the checks and the short tests to the end: `npm test`; `npm test -- rest` for the others of the same groups, or
 * `npm test -- NAME-OR-PATH …` for some, with all of their tests.
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { inspect } from 'node:util'
import { boundedQueue } from '../src/base/bounded-queue.ts'
import { type Postgres, startPostgres } from '../test/support/postgres.ts'
import { makeTemplate } from '../test/support/template.ts'
import { checked, type Outcome, report, total, verdict } from './outcome.ts'
import { runCommand, runTests } from './run-tests.ts'
import { batchesOf, begins, DATABASE_GROUPS, NAMED_ONLY, ownSettingsRemoved, SHORT } from './test-files.ts'

/** Each check counts as one test. */
const CHECKS: readonly { name: string; command: readonly string[] }[] = [
  {
    name: 'types',
    // The projects of tsconfig.json; the next run checks only files that have changed and those that import them.
    // Several threads would each check the types that files share, beside other tests.
    command: [process.execPath, 'node_modules/typescript/bin/tsc', '--build', '--singleThreaded'],
  },
  {
    name: 'lint',
    command: [process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  },
  { name: 'generated', command: [process.execPath, 'scripts/generate.ts', '--check'] },
]

interface Group {
  readonly name: string
  /** Prefixes of the paths of its files, of which the longest that fits counts; the group without prefixes has all other files. */
  readonly under?: readonly string[]
  readonly database?: 'postgres'
  /** Its processes run one after another. */
  readonly isInTurn?: true
}

/** In the order in which they begin: the first take longest. */
const GROUPS: readonly Group[] = [
  { name: 'python', under: ['test/python'] },
  { name: 'browser', under: ['test/browser'] },
  { name: 'postgres', under: DATABASE_GROUPS, database: 'postgres' },
  { name: 'sqlite', under: DATABASE_GROUPS },
  { name: 'unit' },
  { name: 'house', under: ['test/house'] },
  { name: 'mail', under: ['test/accounts/mail'] },
  { name: 'crash', under: ['test/crash'], isInTurn: true },
  { name: 'deploy', under: ['test/long/deploy'], isInTurn: true },
  { name: 'docs', under: ['test/long/adding-an-operation'] },
]

/** Checks and processes of tests that run at once: enough to keep the processor busy while some wait. */
const queue = boundedQueue({ concurrent: 3 * availableParallelism() })

const root = resolve(import.meta.dirname, '..')
const filters = process.argv.slice(2)
const isRest = filters.includes('rest')
process.chdir(root)

const files = globSync('test/**/*.test.ts').sort()
const isNamed = (name: string) => filters.length === 0 || filters.includes(name)
const checks = CHECKS.filter(({ name }) => isNamed(name))
const groups = GROUPS.map((group) => ({ ...group, files: filesOf(group) })).filter(
  (group) => group.files.length,
)

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupted.abort()
    process.exit(1)
  })

const checking = checks.map(async ({ name, command }) => report(await queue(() => runCommand(name, command))))
// PostgreSQL starts while the checks run, but before the groups: a process that waited for it would keep others from running.
const postgres = groups.some(({ database }) => database)
  ? await startWithTemplate().catch((error: Error) => error)
  : undefined
const running = groups.map(async (group) => report(await runGroup(group)))
const outcomes = await Promise.all([...checking, ...running])
if (postgres && !(postgres instanceof Error)) await postgres.stop()

const sum = total(outcomes)
if (sum.passed + sum.failed + sum.skipped === 0)
  console.error(`no check, group, folder or file is named ${filters.join(' ')}`)
console.log(verdict(sum))
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0

function filesOf({ name, under }: Group): string[] {
  /** The length of the longest prefix that fits; a group without prefixes fits every file. */
  const longest = (file: string, prefixes?: readonly string[]): number =>
    prefixes === undefined
      ? 0
      : Math.max(-1, ...prefixes.filter((prefix) => begins(file, [prefix])).map(({ length }) => length))
  const paths = filters.map((filter) => relative(root, resolve(filter)))
  const { only, tests, without = [] } = SHORT[name] ?? {}
  const isShort = (file: string) => (only === undefined || begins(file, only)) && !begins(file, without)
  const isWanted = (file: string): boolean => {
    if (filters.includes(name) || begins(file, paths)) return true
    if (begins(file, NAMED_ONLY)) return false
    return (filters.length === 0 && isShort(file)) || (isRest && (!isShort(file) || tests !== undefined))
  }
  return files
    .filter((file) => longest(file, under) === Math.max(...GROUPS.map((group) => longest(file, group.under))))
    .filter(isWanted)
}

async function startWithTemplate(): Promise<Postgres> {
  const server = await startPostgres()
  await makeTemplate(server.url)
  return server
}

async function runGroup({ database, files, isInTurn, name }: Group & { files: string[] }): Promise<Outcome> {
  const { tests } = SHORT[name] ?? {}
  const isWhole = tests === undefined || filters.some((filter) => filter !== 'rest')
  try {
    if (database && postgres instanceof Error) throw postgres
    const tasks = isInTurn ? boundedQueue({ concurrent: 1 }) : queue
    return await runTests(name, batchesOf(files), tasks, {
      signal: interrupted.signal,
      names: isWhole ? undefined : { of: tests, run: isRest ? 'not' : 'only' },
      env: {
        ...ownSettingsRemoved(process.env),
        QUANTD_TEST_DATABASE: database ?? 'sqlite',
        ...(database && { QUANTD_TEST_POSTGRES_URL: (postgres as Postgres).url }),
      },
    })
  } catch (error) {
    return checked(name, inspect(error))
  }
}
