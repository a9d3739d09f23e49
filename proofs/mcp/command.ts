/** Runs a program of a development package with this Node. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const TIMEOUT_MS = 120_000

/** @param module name of the package, with the path of its program in it */
export async function runPackage(
  module: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const file = new URL(`../../node_modules/${module}`, import.meta.url).pathname
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH!, HOME: process.env.HOME!, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}
