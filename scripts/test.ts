/** Runs every check and every test to the end: `npm test`, or `npm test -- NAME-OR-PATH …` for some. */
import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { inspect } from 'node:util'
import { type Postgres, startPostgres } from '../test/support/postgres.ts'
import { makeTemplate } from '../test/support/template.ts'
import { checked, type Outcome, report, total, verdict } from './outcome.ts'
import { runCommand, runTests } from './run-tests.ts'
import { batchesOf, begins, DATABASE_GROUPS, ownSettingsRemoved } from './test-files.ts'

/** Each check counts as one test. */
const CHECKS: readonly { name: string; command: readonly string[] }[] = [
  {
    name: 'types',
    command: [
      ...[process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.'],
      // The next run checks only files that have changed and those that import them.
      ...['--incremental', '--tsBuildInfoFile', 'build/types.tsbuildinfo'],
    ],
  },
  {
    name: 'lint',
    command: [process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  },
  { name: 'generated', command: [process.execPath, 'scripts/generate.ts', '--check'] },
]

interface Group {
  readonly name: string
  /** Prefixes of the paths of its files; the group without prefixes has the files of no other group. */
  readonly under?: readonly string[]
  readonly database?: 'postgres'
  /** Processes that run at the same time. */
  readonly concurrency: number
  /** Groups of one lane run one after another; the lanes run at the same time, so that one computes while another waits. */
  readonly lane: 1 | 2 | 3
}

const GROUPS: readonly Group[] = [
  { name: 'browser', under: ['test/browser'], concurrency: 2, lane: 3 },
  { name: 'house', under: ['test/house'], concurrency: 2, lane: 3 },
  { name: 'unit', concurrency: 2, lane: 1 },
  { name: 'sqlite', under: DATABASE_GROUPS, concurrency: 3, lane: 1 },
  { name: 'postgres', under: DATABASE_GROUPS, concurrency: 3, lane: 2, database: 'postgres' },
  { name: 'mail', under: ['test/mail'], concurrency: 2, lane: 3 },
  { name: 'crash', under: ['test/crash'], concurrency: 1, lane: 1 },
  { name: 'python', under: ['test/python'], concurrency: 1, lane: 3 },
  { name: 'deploy', under: ['test/long/deploy'], concurrency: 1, lane: 3 },
  { name: 'docs', under: ['test/long/adding-an-operation'], concurrency: 1, lane: 2 },
]

/** Files that take minutes, or need an idle processor or packages of Debian, run only if they or their group are named. */
const NAMED_ONLY = ['test/long', 'test/hostile', 'test/crash', 'test/main/starts', 'test/main/supervisor']

const root = resolve(import.meta.dirname, '..')
const filters = process.argv.slice(2)
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

// PostgreSQL starts while the checks run.
const postgres = groups.some(({ database }) => database) ? startWithTemplate() : undefined
postgres?.catch(() => {})

const outcomes: Outcome[] = []
for (const outcome of checks.map(({ name, command }) => runCommand(name, command)))
  outcomes.push(report(await outcome))
const lanes = Object.values(Object.groupBy(groups, ({ lane }) => lane))
await Promise.all(lanes.map(runInTurn))
await postgres?.then((server) => server.stop()).catch(() => {})

const sum = total(outcomes)
if (sum.passed + sum.failed + sum.skipped === 0)
  console.error(`no check, group, folder or file is named ${filters.join(' ')}`)
console.log(verdict(sum))
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0

function filesOf({ name, under }: Group): string[] {
  const claimed = GROUPS.flatMap((group) => group.under ?? [])
  const paths = filters.map((filter) => relative(root, resolve(filter)))
  return files
    .filter((file) => (under ? begins(file, under) : !begins(file, claimed)))
    .filter(
      (file) =>
        filters.includes(name) || (filters.length === 0 ? !begins(file, NAMED_ONLY) : begins(file, paths)),
    )
}

async function startWithTemplate(): Promise<Postgres> {
  const server = await startPostgres()
  await makeTemplate(server.url)
  return server
}

async function runInTurn(groups: readonly (Group & { files: string[] })[]): Promise<void> {
  for (const group of groups) outcomes.push(report(await runGroup(group)))
}

async function runGroup(group: Group & { files: string[] }): Promise<Outcome> {
  try {
    return await runTests(group.name, batchesOf(group.files), group.concurrency, interrupted.signal, {
      ...ownSettingsRemoved(process.env),
      QUANTD_TEST_DATABASE: group.database ?? 'sqlite',
      ...(group.database && postgres ? { QUANTD_TEST_POSTGRES_URL: (await postgres).url } : {}),
    })
  } catch (error) {
    return checked(group.name, inspect(error))
  }
}
