/** The commands of quantd. Each loads the service, its database and its operations only when it is run. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Command } from 'commander'
import { version } from '../../base/version.ts'
import { registerBackup } from './backup.ts'
import { registerCompletion } from './completion.ts'
import { registerMove } from './move.ts'
import { registerReceipts } from './receipts.ts'
import type { Terminal } from './terminal.ts'

/** @param words of the command line. Parsing wrong ones prints the message of the CommanderError that it throws. */
export async function quantdProgram(terminal: Terminal, words: readonly string[]): Promise<Command> {
  const program = new Command(terminal.program)
    .description('Quantitative-finance computations over HTTP and JSON, with keys, credits and rate limits.')
    .version(version)
    // Behind a command, --version is the command's own: `admin plan set --version 3`.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.tell(text.replace(/\n$/, '')),
      outputError: (text, write) => write(text.replace(/^error: /, 'quantd: ')),
    })
    .showHelpAfterError('Add --help for usage and examples.')
    .exitOverride()

  program
    .command('serve')
    .summary('Start the service.')
    .description('Start the service. Its settings are environment variables, which are listed below.')
    .addHelpText(
      'after',
      () => `\n${readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')}`,
    )
    .action(async () => {
      // Loading the service takes a second, and a person should see at once that it starts.
      if (process.stdout.isTTY) terminal.tell(`quantd ${version} starts …`)
      await (await import('./serve.ts')).serve()
    })

  program
    .command('node', { hidden: true })
    .argument('<number>')
    .action(async (number: string) => (await import('./serve.ts')).serveAsNode(Number(number)))

  program
    .command('selftest')
    .description('Compare this build with the reference vectors and print its accuracy.')
    .action(async () => (await import('./selftest.ts')).selftestCommand())

  program
    .command('mcp')
    .description(
      'Serve MCP on standard input and output, for AI clients. QUANTD_URL names the running service, QUANTD_API_KEY the key.',
    )
    .action(() => serveMcp(terminal))

  // The declarations of its commands are loaded only where they are needed: they take longer to load than everything else.
  if (words.includes('admin')) (await import('./admin.ts')).registerAdmin(program, terminal)
  else program.command('admin').summary('Administer accounts.')
  registerBackup(program, terminal)
  registerMove(program, terminal)
  registerReceipts(program, terminal)
  registerCompletion(program, terminal)
  return program
}

/** Gives an AI client on this machine the tools of a running service. */
async function serveMcp({ environment, write }: Terminal): Promise<void> {
  const { bridge } = await import('../../serve/mcp/bridge.ts')
  const { readClientConfig } = await import('../config/read-config.ts')
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  await bridge({ ...readClientConfig(environment), lines, write: (line) => write(`${line}\n`) })
}
