/** Runs programs for the proofs, with their output. */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { install } from '../scripts/install.js'

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

/** The packages of proofs/tools, installed outside of the folders that the checks of the project read. */
const TOOLS = join(import.meta.dirname, '../build/proof-tools')

/** The path of a program of proofs/tools, whose packages are installed first if they are not. @param program path below node_modules */
export function toolPath(program: string): string {
  mkdirSync(TOOLS, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, 'tools', file), join(TOOLS, file))
  install(TOOLS, 'production')
  return join(TOOLS, 'node_modules', program)
}

/** Runs a JavaScript file of proofs/tools. @param program as for toolPath */
export const runTool = (program: string, args: readonly string[]): Promise<Ran> =>
  run(process.execPath, [toolPath(program), ...args], process.cwd())
