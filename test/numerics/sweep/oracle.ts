/** The inputs of sweeps and their exact judge: Python with gmpy2. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PYTHON } from '../../support/exact-python.ts'

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

/** The drawn inputs of one operation. */
export interface Drawn {
  readonly path: string
  /** Which inputs were drawn, in the words of docs/accuracy.md. */
  readonly text: string
  readonly inputs: readonly object[]
}

/** @param factor multiplies the number of points; @param only a part of the path */
export const inputs = (seed: number, factor: number, only: string): Promise<Drawn[]> =>
  lines(['inputs', String(seed), String(factor), only])

/** The files of reference vectors that modules of the sweep make, by name without `.json`. */
export const vectors = (only: string): Promise<{ name: string; text: string }[]> => lines(['vectors', only])

/** The verdicts on the calls, in order. */
export async function verdicts(calls: readonly Call[]): Promise<Verdict[]> {
  const found = await lines<Verdict>(['judge'], calls.map((call) => `${JSON.stringify(call)}\n`).join(''))
  if (found.length !== calls.length)
    throw new Error(`The oracle ended after ${found.length} of ${calls.length} calls.`)
  return found
}

/** The answers of the script, one JSON value a line. */
async function lines<Answer>(args: readonly string[], input = ''): Promise<Answer[]> {
  const process = spawn(PYTHON, [SCRIPT, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  process.stdin.end(input)
  const found: Answer[] = []
  for await (const line of createInterface({ input: process.stdout })) found.push(JSON.parse(line))
  return found
}
