/** The streams and settings of a command, for which tests pass their own; and its person, as the audit names them. */
import { userInfo } from 'node:os'
import { basename, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { uuidv7 } from '../../base/ids.ts'
import type { AdminEvent } from '../../operators/audit-event.ts'

export interface Terminal {
  /** The command that starts quantd here: `quantd`, or `node bin/quantd.js`. */
  readonly program: string
  /** Settings; undefined: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Whether there is a person to ask. */
  readonly interactive: boolean
  /** Prints a result. Resolves when the reader has taken it, so that a long output is not held in memory. */
  write(text: string): Promise<void>
  /** Prints a line that is not the result: progress, hints, errors. */
  tell(line: string): void
  /** Asks a person. The answer is empty if the input ends. */
  ask(question: string): Promise<string>
  /** Everything on standard input. */
  input(): Promise<string>
  /** Sets the exit code with which the process ends. */
  exitWith(code: number): void
}

export function processTerminal(): Terminal {
  // A reader such as `head` closes the pipe when it has enough: end quietly.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    console.error(`quantd: The output cannot be written: ${error.message}.`)
    process.exit(1)
  })
  return {
    program: programName(),
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    write: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
    tell: (line) => console.error(line),
    async ask(question) {
      // With `terminal: false` the system handles Ctrl-C and Ctrl-Z, also for the process that started this one.
      const lines = createInterface({ input: process.stdin, terminal: false })
      process.stderr.write(question)
      const { done, value } = await lines[Symbol.asyncIterator]().next()
      lines.close()
      if (done) console.error()
      return value ?? ''
    },
    input: () => text(process.stdin),
    exitWith: (code) => {
      process.exitCode = code
    },
  }
}

/** The command that starts this program here. Our launcher passes it as argv[0], which is otherwise the path of Node. */
function programName(): string {
  const [, script] = process.argv
  const isLaunched = !/^node(js)?(\.exe)?$/.test(basename(process.argv0))
  return isLaunched ? process.argv0 : `node ${relative('', script!)}`
}

/** The audit event of a command; its actor is the user of this login. */
export const eventBy = (command: string): AdminEvent => ({
  auditId: uuidv7(),
  ip: 'cli',
  requestId: uuidv7(),
  method: 'CLI',
  path: `admin ${command}`,
  actor: actor(),
})

function actor(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a user id that has no name.
    return `uid ${process.getuid?.() ?? '?'}`
  }
}
