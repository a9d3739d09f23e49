/** The exact judge of a sweep: a Python process with gmpy2 that reads a line per call and writes a verdict. */
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Debian's, which has python3-gmpy2. */
const PYTHON = '/usr/bin/python3'
const SCRIPT = fileURLToPath(new URL('./oracle.py', import.meta.url))

export interface Verdict {
  /** The error over the stated tolerance; above 1 the answer is wrong. */
  readonly share?: number
  /** The largest relative error. */
  readonly error?: number
  /** The call was refused, and rightly. */
  readonly refused?: true
  readonly skipped?: string
  readonly wrong?: string
}

/** A call of an operation: its input, and its output or the reason of the refusal. */
export interface Call {
  readonly path: string
  readonly input: object
  readonly output?: unknown
  readonly refused?: string
}

export const oracleIsInstalled = (): boolean => spawnSync(PYTHON, ['-c', 'import gmpy2']).status === 0

/** The verdicts on the calls, in order. */
export async function verdicts(calls: readonly Call[]): Promise<Verdict[]> {
  const process = spawn(PYTHON, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
  process.stdin.end(calls.map((call) => `${JSON.stringify(call)}\n`).join(''))
  const found: Verdict[] = []
  for await (const line of createInterface({ input: process.stdout })) found.push(JSON.parse(line))
  if (found.length !== calls.length)
    throw new Error(`The oracle ended after ${found.length} of ${calls.length} calls.`)
  return found
}
