/** The quantd command: serve, selftest, mcp, admin, backup, receipts and completion. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { EXIT, lineOf } from './cli/admin/failure.ts'
import { registerBackup } from './cli/backup.ts'
import { registerCompletion } from './cli/completion.ts'
import { registerReceipts } from './cli/receipts.ts'
import { processTerminal } from './cli/terminal.ts'
import { version } from './version.ts'

const terminal = processTerminal()

// A command loads the service, its database and its operations only when it is run.
const program = new Command(terminal.program)
  .description('Quantitative-finance computations over HTTP and JSON, with keys, credits and rate limits.')
  .version(version)
  // Behind a command, --version is the command's own: `admin plan set --version 3`.
  .enablePositionalOptions()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'quantd: ')) })
  .showHelpAfterError('Add --help for usage and examples.')
  .exitOverride()

program
  .command('serve')
  .summary('Start the service.')
  .description('Start the service. Its settings are environment variables, which are listed below.')
  .addHelpText('after', () => `\n${readFileSync(new URL('../.env.example', import.meta.url), 'utf8')}`)
  .action(async () => {
    // A person sees at once that it starts: loading the service takes a second.
    if (process.stdout.isTTY) terminal.tell(`quantd ${version} starts …`)
    await (await import('./cli/serve.ts')).serve()
  })

program.command('node', { hidden: true }).action(async () => (await import('./cli/serve.ts')).serveAsNode())

program
  .command('selftest')
  .description('Compare this build with the reference vectors and print its accuracy.')
  .action(async () => (await import('./cli/selftest.ts')).selftestCommand())

program
  .command('mcp')
  .description(
    'Serve MCP on standard input and output, for AI clients. QUANTD_URL names the running service, QUANTD_API_KEY the key.',
  )
  .action(async () => (await import('./cli/mcp.ts')).serveMcp(terminal))

// Also for its help and completion; the declarations of the acts take longer to load than all the rest.
if (process.argv.includes('admin')) (await import('./cli/admin.ts')).registerAdmin(program, terminal)
else program.command('admin').summary('Administer accounts.')
registerBackup(program, terminal)
registerReceipts(program, terminal)
registerCompletion(program, terminal)

try {
  await program.parseAsync()
} catch (error) {
  // Commander has printed the message.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage)
  const line = lineOf(error)
  console.error(line === null ? error : `quantd: ${line}`)
  // Handles that were opened before the failure must not keep the process alive.
  process.exit(EXIT.failed)
}
