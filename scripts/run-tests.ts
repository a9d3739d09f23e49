/** Runs one command, or batches of test files, and returns the outcome. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isAbsolute, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'
import type { Queue } from '../src/base/bounded-queue.ts'
import { checked, type Outcome, total } from './outcome.ts'

const RUN_FILES = resolve(import.meta.dirname, 'run-files.ts')
/** Lines of a test's output that are also shown if it passes. */
const FIGURE = /^measured: .*$/gm
/** Ends a run that reports nothing for this time, for example because a file leaves a timer or socket open. */
const SILENCE_MS = 660_000

/** A command that exits with 0 is one passed test; its output is shown only if it failed. */
export async function runCommand(name: string, [file, ...args]: readonly string[]): Promise<Outcome> {
  const started = performance.now()
  const child = spawn(file!, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.on('error', (error) => (output += error.message))
  const [code] = await once(child, 'close')
  return checked(name, code === 0 ? undefined : output, secondsSince(started))
}

export interface Options {
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Only tests with such a name run, or only the others. */
  readonly names?: { readonly of: RegExp; readonly run: 'only' | 'not' } | undefined
}

/** Runs each batch of files in a process of its own, as a task of `queue`. */
export async function runTests(
  name: string,
  batches: readonly (readonly string[])[],
  queue: Queue,
  options: Options,
): Promise<Outcome> {
  let started: number | undefined
  const runOne = (batch: readonly string[]) => {
    started ??= performance.now()
    return runBatch(batch, options)
  }
  const ran = await Promise.all(batches.map((batch) => queue(() => runOne(batch))))
  return {
    name,
    ...total(ran),
    seconds: secondsSince(started!),
    failures: ran.flatMap(({ failures }) => failures),
    skips: ran.flatMap(({ skips }) => skips),
    figures: ran.flatMap(({ figures }) => figures),
    times: Object.assign({}, ...ran.map(({ times }) => times)),
  }
}

type Ran = Omit<Outcome, 'name' | 'seconds'>

/** The process reports each file as a suite, see run-files.ts. */
async function runBatch(batch: readonly string[], { env, names, signal }: Options): Promise<Ran> {
  const silence = new AbortController()
  const watch = setTimeout(() => silence.abort(), SILENCE_MS)
  // `env` is an option since Node 24.14, which the type declarations do not know yet.
  const options = {
    files: [RUN_FILES],
    argv: batch.map((file) => resolve(file)),
    env,
    isolation: 'process' as const,
    ...(names && { [names.run === 'only' ? 'testNamePatterns' : 'testSkipPatterns']: [names.of] }),
    signal: AbortSignal.any([signal, silence.signal]),
  }
  const failures: string[] = []
  const skips: string[] = []
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const output = new Map<string, string>()
  const times: Record<string, number> = {}
  const failedFiles: string[] = []
  /** Errors that occurred after the end of the tests that caused them. */
  const strayErrors: string[] = []
  /** The files that have not ended, the running one first. */
  const unfinished = [...options.argv]
  const haveTestsFailed = () => unfinished.length === 0 && failures.length > 0 && strayErrors.length === 0
  /** Whether no test was reported since the last file. */
  let isEmpty = true

  for await (const { type, data } of run(options)) {
    watch.refresh()
    if (type === 'test:stdout' || type === 'test:stderr') {
      const file = unfinished[0] ?? options.argv.at(-1)!
      output.set(file, (output.get(file) ?? '') + data.message)
    }
    if (type === 'test:complete' && data.name === unfinished[0]) unfinished.shift()
    if (type === 'test:diagnostic' && data.message.startsWith('Error: ')) strayErrors.push(data.message)
    if (type === 'test:pass' && data.skip !== undefined) skips.push(`${data.name} (${data.skip})`)
    const isFailure = type === 'test:fail' && failureType(data.details.error) !== 'subtestsFailed'
    // Node sometimes reports the exit code that results from failed tests as a further failure, and counts it.
    if (isFailure && isProcess(data) && haveTestsFailed()) counts.failed -= 1
    else if (isFailure) {
      // Summaries count tests only: a suite whose hook or file failed is added here.
      if (data.details.type === 'suite') counts.failed += 1
      const error = inspect(data.details.error.cause ?? data.details.error)
      if (isProcess(data)) {
        const { exitCode, signal } = data.details.error as ProcessError
        const files = listed(unfinished.length > 0 ? unfinished.slice(0, 1) : options.argv)
        const end = `exit code ${exitCode}, signal ${signal}`
        failures.push([files, error, end, ...strayErrors].join('\n'))
        if (unfinished.length === 0) failedFiles.push(options.argv.at(-1)!)
      } else failures.push(`${placeOf(data)}\n${error}`)
    }
    if (type === 'test:pass' || type === 'test:fail') {
      if (!options.argv.includes(data.name)) isEmpty = false
      else {
        times[listed([data.name])] = data.details.duration_ms / 1000
        if (type === 'test:fail') failedFiles.push(data.name)
        else if (isEmpty) {
          counts.failed += 1
          failures.push(`${listed([data.name])} contains no test`)
        }
        isEmpty = true
      }
    }
    // A summary without a file is that of the whole run.
    if (type === 'test:summary' && data.file === undefined) {
      counts.passed += data.counts.passed
      counts.failed += data.counts.failed + data.counts.cancelled
      counts.skipped += data.counts.skipped + data.counts.todo
      if (!data.success && counts.failed === 0) counts.failed = 1
    }
  }
  clearTimeout(watch)
  if (unfinished.length > 0) {
    failedFiles.push(unfinished[0])
    failures.push(`did not run to the end: ${listed(unfinished)}`)
    if (counts.failed === 0) counts.failed = 1
  }
  const figures = [...output.values()].flatMap((text) => text.match(FIGURE) ?? [])
  for (const file of failedFiles)
    if (output.has(file)) failures.push(`${listed([file])} printed\n${output.get(file)}`)
  return { ...counts, failures, skips, figures, times }
}

const secondsSince = (started: number) => (performance.now() - started) / 1000

const failureType = (error: Error) => (error as Error & { failureType?: string }).failureType

type ProcessError = Error & { readonly exitCode?: number; readonly signal?: string }

interface Named {
  name: string
  file?: string
  line?: number
}

/** Whether a failure is that of the process itself and not of a test. */
const isProcess = ({ file, name }: Named) => file !== undefined && resolve(name) === RUN_FILES

const listed = (files: readonly string[]) => files.map((file) => relative('.', file)).join(', ')

/** The suite of a file is named by the file's path. */
const placeOf = ({ file, line, name }: Named) =>
  isAbsolute(name) ? listed([name]) : file === undefined ? name : `${name} (${listed([file])}:${line})`
