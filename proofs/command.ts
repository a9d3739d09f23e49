/** Runs programs for the proofs, with their output. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

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

const TOOLS = new URL('./tools/', import.meta.url).pathname

/** A program of proofs/tools, whose packages are installed first if they are not. @param program path below node_modules */
export async function runTool(program: string, args: readonly string[]): Promise<Ran> {
  const file = join(TOOLS, 'node_modules', program)
  if (!existsSync(file)) {
    const installed = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], TOOLS)
    if (installed.code !== 0) throw new Error(`npm ci failed in proofs/tools: ${installed.err}`)
  }
  return await run(process.execPath, [file, ...args], process.cwd())
}
