/** The commands of quantd, and their completion in shells. Each loads the service, its database and its operations only when it is run. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Argument, Command, type Option } from 'commander'
import { version } from '../../base/version.ts'
import { registerBackup } from './backup.ts'
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
      outputError: (text, write) => write(text.replace(/^error: (command-argument )?/, 'quantd: ')),
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

/** Each passes the words up to the cursor; the reply has a line for each candidate: the word, a tab, its description. */
const SCRIPTS = {
  bash: `_quantd() {
  local IFS=$'\\n'
  COMPREPLY=($(quantd complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _quantd quantd
`,
  zsh: `#compdef quantd
_quantd() {
  local -a found
  found=("\${(@f)$(quantd complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  [[ -n $found[1] ]] && _describe quantd found || _files
}
compdef _quantd quantd
`,
  fish: `complete -c quantd -a '(quantd complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}

function registerCompletion(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('Print a script that completes command lines: eval "$(quantd completion bash)".')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => terminal.write(SCRIPTS[shell]))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) =>
      terminal.write(
        candidates(program, words)
          .map((line) => `${line}\n`)
          .join(''),
      ),
    )
}

/** The lines of the candidates for the last word. @param words the words after `quantd`; the last one may be empty */
function candidates(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? ''
  let command = program
  let position = 0
  let open: Option | undefined
  for (const word of words.slice(0, -1)) {
    const inner = command.commands.find((one) => one.name() === word)
    if (open !== undefined) open = undefined
    else if (word.startsWith('-')) open = command.options.find((one) => one.long === word && one.required)
    else if (inner === undefined) position++
    else [command, position] = [inner, 0]
  }
  const help = command.createHelp()
  const found: (readonly [word: string, description: string])[] =
    open !== undefined
      ? wordsOf(open.argChoices)
      : typed.startsWith('-')
        ? help.visibleOptions(command).map((one) => [one.long ?? '', one.description])
        : [
            ...help
              .visibleCommands(command)
              .map((one) => [one.name(), one.summary() || one.description()] as const),
            ...wordsOf(command.registeredArguments[position]?.argChoices),
          ]
  return found
    .filter(([word]) => word.startsWith(typed))
    .map(([word, description]) => `${word}\t${description}`)
}

const wordsOf = (choices: readonly string[] | undefined) => (choices ?? []).map((word) => [word, ''] as const)
