/** The quantd command: serve, selftest and what else there is to do with a service. */
import { Command, CommanderError } from 'commander'
import { EXIT } from './cli/admin/failure.ts'
import { registerAdmin } from './cli/admin.ts'
import { registerBackup } from './cli/backup.ts'
import { processTerminal } from './cli/terminal.ts'
import { ConfigError } from './config.ts'
import { sources } from './derive/sources.ts'

// What a command needs is loaded when it is the one that was asked for.
const program = new Command('quantd')
  .description('Quantitative-finance computations over HTTP and JSON, with keys, credits and rate limits.')
  .version(sources.version)
  .exitOverride()

program
  .command('serve')
  .description('Start the service. Settings come from the environment; .env.example lists them.')
  .action(async () => (await import('./cli/serve.ts')).serve())

program
  .command('selftest')
  .description('Replay the reference vectors against this build and print how accurate it is.')
  .option('--markdown', 'print docs/accuracy.md')
  .action(async (flags) => (await import('./cli/selftest.ts')).selftestCommand(flags))

const terminal = processTerminal()
registerAdmin(program, terminal)
registerBackup(program, terminal)

try {
  await program.parseAsync()
} catch (error) {
  // Commander has printed what it has to say.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage)
  const { cause, message, name } = error as Error
  const isExpected = error instanceof ConfigError || name === 'MasterKeyError' || name === 'NotCommitted'
  const reason = cause instanceof Error ? ` (${cause.message})` : ''
  console.error(isExpected ? `quantd: ${message}${reason}` : error)
  // What was opened before it failed must not keep the process.
  process.exit(EXIT.failed)
}
