/** The quantd command: serve, selftest and what else there is to do with a service. */
import { Command } from 'commander'
import { selftestCommand } from './cli/selftest.ts'
import { serve } from './cli/serve.ts'
import { ConfigError } from './config.ts'
import { sources } from './derive/sources.ts'

const program = new Command('quantd')
  .description('Quantitative-finance computations over HTTP and JSON, with keys, credits and rate limits.')
  .version(sources.version)

program
  .command('serve')
  .description('Start the service. Settings come from the environment; .env.example lists them.')
  .action(serve)

program
  .command('selftest')
  .description('Replay the reference vectors against this build and print how accurate it is.')
  .option('--markdown', 'print docs/accuracy.md')
  .action(selftestCommand)

try {
  await program.parseAsync()
} catch (error) {
  const isExpected = error instanceof ConfigError || (error as Error).name === 'MasterKeyError'
  console.error(isExpected ? `quantd: ${(error as Error).message}` : error)
  process.exitCode = 1
}
