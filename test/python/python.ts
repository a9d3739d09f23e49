/** Runs Python tests as tests of Node: each is reported by its name. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

export const PACKAGE = join(import.meta.dirname, '../../clients/python')
/** Debian's, whose packages the tests use; another one may be first on the path. */
export const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

export interface PythonResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface PythonOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Runs Python to its end. */
export const python = (args: readonly string[], options: PythonOptions = {}): Promise<PythonResult> =>
  startPython(args, options).result

/** Starts Python with the package on its path and without the caller's own settings of quantd. */
export function startPython(args: readonly string[], options: PythonOptions = {}) {
  const { PATH, HOME } = process.env
  const child = spawn(PYTHON, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { PATH, HOME, PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: '1', MPLBACKEND: 'agg', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const result: Promise<PythonResult> = Promise.all([ended, text(child.stdout), text(child.stderr)]).then(
    ([code, stdout, stderr]) => ({ code, stdout, stderr }),
  )
  return { child, result }
}

/** The reason to skip tests that need these modules; undefined if all of them are installed. */
export function lacking(...modules: readonly string[]): string | undefined {
  // To load them would take seconds.
  const script =
    'import sys, importlib.util as u; sys.exit(any(u.find_spec(m) is None for m in sys.argv[1:]))'
  // In the root, Python would take a folder of the name for the module, as `build`.
  const found = spawnSync(PYTHON, ['-c', script, ...modules], { cwd: import.meta.dirname })
  if (found.status === 0) return undefined
  return found.error === undefined
    ? `Python lacks one of: ${['python3', ...modules].join(', ')}`
    : 'Python is not installed'
}

interface Line {
  readonly name: string
  readonly error?: string
  readonly skip?: string
}

/** Runs each test of the file as a subtest. */
export async function runFile(
  context: TestContext,
  file: string,
  {
    env = {},
    without = [],
  }: { readonly env?: Readonly<Record<string, string>>; readonly without?: readonly string[] },
): Promise<void> {
  const { code, stderr, stdout } = await python(
    [join(import.meta.dirname, 'report.py'), join(import.meta.dirname, file), '--without', ...without],
    { env },
  )
  assert.equal(code, 0, stderr)
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"name"'))
  assert.ok(lines.length > 0, `${basename(file)} contains no test\n${stdout}${stderr}`)
  for (const line of lines) {
    const { error, name, skip } = JSON.parse(line) as Line
    await context.test(name, (subtest) => {
      if (skip !== undefined) subtest.skip(skip)
      if (error !== undefined) assert.fail(error)
    })
  }
}
