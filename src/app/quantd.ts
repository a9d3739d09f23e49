/** The process of a quantd command: its exit code, and the line that it prints for a failure. */
import { CommanderError } from 'commander'
import { EXIT, lineOf } from './cli/admin/failure.ts'
import { quantdProgram } from './cli/program.ts'
import { processTerminal } from './cli/terminal.ts'

try {
  await (await quantdProgram(processTerminal(), process.argv)).parseAsync()
} catch (error) {
  // Commander has printed the message.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage)
  const line = lineOf(error)
  console.error(line === null ? error : `quantd: ${line}`)
  // Handles that were opened before the failure must not keep the process alive.
  process.exit(EXIT.failed)
}
