/** Where a command reads and prints; tests put their own in its place. */
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'

export interface Terminal {
  /** Settings; undefined: the process's own environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Whether a person can be asked. */
  readonly interactive: boolean
  /** Prints a result. Resolves when the reader has taken it, so that a long output needs no memory. */
  write(text: string): Promise<void>
  /** Prints a line that is no result: progress, hints, errors. */
  tell(line: string): void
  ask(question: string): Promise<string>
  /** Everything on standard input. */
  input(): Promise<string>
  /** The exit code, once nothing is left to do. */
  exitWith(code: number): void
}

export function processTerminal(): Terminal {
  // A reader that has seen enough (`| head`) closes the pipe: there is nobody left to print for.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  return {
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    write: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
    tell: (line) => console.error(line),
    async ask(question) {
      const lines = createInterface({ input: process.stdin, output: process.stderr })
      try {
        return await lines.question(question)
      } finally {
        lines.close()
      }
    },
    input: () => text(process.stdin),
    exitWith: (code) => {
      process.exitCode = code
    },
  }
}
