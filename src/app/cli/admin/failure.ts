/** The exit codes of commands, and the one line that is printed for a failure. */

import { Failure } from '../../../base/failure.ts'
import type { Terminal } from '../terminal.ts'

/** Exit codes of every command. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const

/** A failure that is reported to the operator in one line. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Runs a command: an expected failure is printed in one line, as JSON where that is asked for. */
export async function guarded(
  terminal: Terminal,
  { json = false }: { readonly json?: boolean },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const line = lineOf(error)
    if (line === null) throw error
    terminal.tell(json ? JSON.stringify({ error: line }) : `quantd: ${line}`)
    terminal.exitWith(exitCodeOf(error))
  }
}

/** The exit code for an error. A refused input is a wrong use of the command. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailure) return error.exitCode
  return error instanceof Failure && error.code === 'invalid_input' ? EXIT.usage : EXIT.failed
}

/** Errors whose message is written for the operator; any other error is a bug and is printed with its stack. */
const EXPECTED = new Set(['CommandFailure', 'ConfigError', 'MasterKeyError', 'Failure'])

/** The line to print for an error; null for a bug. */
export function lineOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (EXPECTED.has(error.name)) return error.message
  if (error.name === 'NotCommitted' || error.name === 'OutcomeUnknown') return withCause(error)
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (/^(ECONNREFUSED|ENOTFOUND|ETIMEDOUT|ECONNRESET|EHOSTUNREACH)$/.test(code))
    return `Cannot connect to the database: ${error.message || code}.`
  if (/^(E[A-Z]+|SQLITE_[A-Z_]+)$/.test(code)) return error.message
  return null
}

const withCause = ({ cause, message }: Error): string =>
  cause instanceof Error && !message.endsWith(cause.message) ? `${message}: ${cause.message}.` : `${message}.`
