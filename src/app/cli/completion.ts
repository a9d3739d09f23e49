/** Completion in shells: `quantd completion SHELL` prints a script, which asks `quantd complete` for each line. */
import { Argument, type Command, type Option } from 'commander'
import type { Terminal } from './terminal.ts'

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

export function registerCompletion(program: Command, terminal: Terminal): void {
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
