/** Runs one command, or one group of test files, and returns its outcome. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative, resolve } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'
import type { Outcome } from './outcome.ts'

const SEED = resolve(import.meta.dirname, '../test/seed.ts')
/** Lines of a test's output that are shown where it passes too. */
const FIGURE = /^measured: .*$/gm
/** Time limit of a test: ten times that of the longest one on an idle machine with two cores. */
const TEST_TIMEOUT_MS = 600_000
/** Ends a run that reports nothing for this time, for example because a file leaves a timer or socket open. */
const SILENCE_MS = 660_000

/** A command that exits with 0 is one passed test; its output is shown only where it failed. */
export async function runCommand(name: string, [file, ...args]: readonly string[]): Promise<Outcome> {
  const started = performance.now()
  const child = spawn(file!, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.on('error', (error) => (output += error.message))
  const [code] = await once(child, 'close')
  const ok = code === 0
  return {
    name,
    passed: ok ? 1 : 0,
    failed: ok ? 0 : 1,
    skipped: 0,
    seconds: secondsSince(started),
    failures: ok ? [] : [`${name}\n${output}`],
    skips: [],
    figures: [],
  }
}

/** Runs each file in its own process, `concurrency` at a time, with `env` as its environment. */
export async function runTests(
  name: string,
  files: readonly string[],
  concurrency: number,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const started = performance.now()
  // `env` is an option since Node 24.14, which the type declarations do not know yet.
  const silence = new AbortController()
  const watch = setTimeout(() => silence.abort(), SILENCE_MS)
  const options = {
    files,
    concurrency,
    env,
    execArgv: ['--import', SEED],
    isolation: 'process' as const,
    signal: AbortSignal.any([signal, silence.signal]),
    timeout: TEST_TIMEOUT_MS,
  }
  const failures: string[] = []
  const skips: string[] = []
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const output = new Map<string, string>()
  const failedFiles = new Set<string>()

  for await (const { type, data } of run(options)) {
    watch.refresh()
    if (type === 'test:stdout' || type === 'test:stderr') {
      const file = resolve(data.file)
      output.set(file, (output.get(file) ?? '') + data.message)
    }
    if (type === 'test:pass' && data.skip !== undefined) skips.push(`${data.name} (${data.skip})`)
    // A file without any test is reported as one that passed.
    if (type === 'test:pass' && isFile(data)) {
      counts.passed -= 1
      counts.failed += 1
      failures.push(`${data.name} contains no test`)
    }
    if (type === 'test:fail' && failureType(data.details.error) !== 'subtestsFailed') {
      // Summaries count tests: a suite whose own hook failed is not among them.
      if (data.details.type === 'suite') counts.failed += 1
      if (data.file) failedFiles.add(resolve(data.file))
      failures.push(`${place(data)}\n${inspect(data.details.error.cause ?? data.details.error)}`)
    }
    // The last summary is that of the run.
    if (type === 'test:summary' && data.file === undefined) {
      counts.passed += data.counts.passed
      counts.failed += data.counts.failed + data.counts.cancelled
      counts.skipped += data.counts.skipped + data.counts.todo
      if (!data.success && counts.failed === 0) counts.failed = 1
    }
  }
  clearTimeout(watch)
  const figures = [...output.values()].flatMap((text) => text.match(FIGURE) ?? [])
  for (const file of failedFiles)
    if (output.has(file)) failures.push(`${relative('.', file)} printed\n${output.get(file)}`)
  return { name, ...counts, seconds: secondsSince(started), failures, skips, figures }
}

const secondsSince = (started: number) => (performance.now() - started) / 1000

const failureType = (error: Error) => (error as Error & { failureType?: string }).failureType

interface Named {
  name: string
  file?: string
  line?: number
}

const isFile = ({ name, file }: Named) => file !== undefined && resolve(name) === resolve(file)

function place(data: Named): string {
  return data.file === undefined || isFile(data)
    ? data.name
    : `${data.name} (${relative('.', data.file)}:${data.line})`
}
