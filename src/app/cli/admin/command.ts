/** The parts that every command of `quantd admin` shares: help with examples, --json, one line per failure, exit codes. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ACCOUNT_NUMBER, type AccountReference } from '../../../accounts/account.ts'
import { addressOf } from '../../../accounts/address.ts'
import { wholeNumber } from '../../../base/text.ts'
import { dayStart } from '../../../base/time.ts'
import { accountView, type FoundAccount } from '../../../operators/accounts.ts'
import type { Terminal } from '../terminal.ts'
import type { Session } from './database-session.ts'
import { CommandFailure, EXIT, guarded } from './failure.ts'

export interface AdminCommand {
  readonly usage: string
  readonly summary: string
  /** Command lines after `admin`, each with its effect. */
  readonly examples: readonly (readonly [commandLine: string, effect: string])[]
  /** Adds the arguments with their readers, and the options. */
  readonly shape?: (command: Command) => Command
  readonly mayCreate?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: commander passes arguments and options as the shape reads them
  run(session: AdminSession, ...args: any[]): Promise<void>
}

export interface AdminSession extends Session {
  readonly terminal: Terminal
  readonly json: boolean
  /** Prints the result: the object as one line of JSON, or the text. */
  print(result: object, text: string): Promise<void>
  /** Asks before a change that cannot be undone. */
  confirm(question: string, isSure: boolean | undefined): Promise<void>
}

/** Commander's own errors have exit code 2, errors of `run` 1 unless a CommandFailure says otherwise. */
export function addCommand(parent: Command, terminal: Terminal, adminCommand: AdminCommand): void {
  const command = parent
    .command(adminCommand.usage)
    .summary(firstSentence(adminCommand.summary))
    .description(adminCommand.summary)
    .addOption(new Option('--json', 'print JSON, for scripts'))
    .addHelpText('after', `\nExamples:\n${examples(terminal.program, adminCommand)}`)
  const shaped = adminCommand.shape?.(command) ?? command
  shaped.action(async (...args: unknown[]) => {
    const json = shaped.opts().json === true
    await guarded(terminal, { json }, async () => {
      const { inSession } = await import('./database-session.ts')
      await inSession(terminal, adminCommand, async (session) => {
        const print = (result: object, text: string) =>
          terminal.write(`${json ? JSON.stringify(result) : text}\n`)
        const ask = (question: string, isSure = false) => confirm(terminal, question, isSure)
        await adminCommand.run({ ...session, terminal, json, print, confirm: ask }, ...args.slice(0, -1))
      })
    })
  })
}

/** The text of a command in the list of commands; its own help has the others. */
const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text

const examples = (program: string, adminCommand: AdminCommand): string =>
  adminCommand.examples.map(([line, effect]) => `  # ${effect}\n  ${program} admin ${line}\n`).join('')

async function confirm(terminal: Terminal, question: string, isSure: boolean): Promise<void> {
  if (isSure) return
  if (!terminal.interactive)
    throw new CommandFailure(
      `${question} There is no terminal to confirm on: add --yes to go ahead. Nothing was changed.`,
      EXIT.usage,
    )
  const answer = await terminal.ask(`${question} Type yes to go ahead: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('Nothing was changed.')
}

/** Reads the name of an account on a command line: an e-mail address or a number. */
export function readAccount(text: string): AccountReference {
  if (text.includes('@')) return { address: addressOf(text) }
  if (ACCOUNT_NUMBER.test(text)) return { accountId: Number(text) }
  throw new InvalidArgumentError('Name the account by its e-mail address or its number.')
}

/** Reads a whole number between bounds. */
export const readNumber =
  (low: number, high: number) =>
  (text: string): number => {
    const value = wholeNumber(text, low, high)
    if (value === null) throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`)
    return value
  }

/** Reads a day as its first millisecond, UTC. */
export function readDay(text: string): number {
  const at = dayStart(text)
  if (at === null) throw new InvalidArgumentError('Write it as 2026-01-31.')
  return at
}

/** Reads a date or a date and time, which without a zone is UTC, as epoch milliseconds. */
export function readTime(text: string): number {
  const [, date = '', time = 'T00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const at = Date.parse(`${date}${time}${zone}`)
  // Date.parse takes 30 February for 2 March.
  if (Number.isNaN(at) || dayStart(date) === null)
    throw new InvalidArgumentError('Write it as 2026-01-31 or 2026-01-31T12:00:00Z.')
  return at
}

export async function find({ reads }: Session, who: AccountReference): Promise<FoundAccount> {
  const account = await reads.run(accountView, who)
  if (account !== null) return account
  throw new CommandFailure(
    'address' in who ? `No account has the address ${who.address}.` : `There is no account ${who.accountId}.`,
  )
}
