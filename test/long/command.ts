/** Runs programs for the long tests, with their output. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { installTools, type Tools } from '../../scripts/tools.ts'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const TIMEOUT_MS = 120_000

export async function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env.PATH!, HOME: process.env.HOME!, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}

/**
 * The path of a program of a set of checkers, which is installed first if it is not.
 * @param program path below node_modules
 */
export const toolPath = (tools: Tools, program: string): string => join(installTools(tools), program)

/** Runs a JavaScript file of a set of checkers. @param program as for toolPath */
export const runTool = (tools: Tools, program: string, args: readonly string[]): Promise<Ran> =>
  run(process.execPath, [toolPath(tools, program), ...args], process.cwd())
