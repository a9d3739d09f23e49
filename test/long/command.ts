/** Runs programs for the long tests, with their output. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installTools, type Tools } from '../../scripts/tools.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const TIMEOUT_MS = 120_000

export async function run(file: string, args: readonly string[], cwd: string): Promise<Ran> {
  // A program that ends by process.exit() loses what it has written to a pipe that is full, but not what it writes to a file.
  const folder = temporaryFolder('command')
  const [out, err] = ['out', 'err'].map((name) => join(folder, name)) as [string, string]
  const files = [openSync(out, 'w'), openSync(err, 'w')]
  try {
    const child = spawn(file, args, {
      cwd,
      env: { PATH: process.env.PATH!, HOME: process.env.HOME! },
      stdio: ['ignore', ...files],
      timeout: TIMEOUT_MS,
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, out: readFileSync(out, 'utf8'), err: readFileSync(err, 'utf8') }
  } finally {
    files.forEach(closeSync)
  }
}

/**
 * The path of a program of a set of checkers, which is installed first if it is not.
 * @param program path below node_modules
 */
export const toolPath = (tools: Tools, program: string): string => join(installTools(tools), program)

/** Runs a JavaScript file of a set of checkers. @param program as for toolPath */
export const runTool = (tools: Tools, program: string, args: readonly string[]): Promise<Ran> =>
  run(process.execPath, [toolPath(tools, program), ...args], process.cwd())
