/** The command that creates an account. */
import { Argument, Option } from 'commander'
import { addressTaken } from '../../errors/operator.ts'
import type { Tier } from '../../ledger/tiers.ts'
import { MAX_CREDITS } from '../../limits.ts'
import { accountJson } from '../../operator/account-json.ts'
import { type AdminCommand, type AdminSession, find, nameOf, readNumber, TIERS } from './command.ts'
import { eventBy } from './event.ts'

interface CreateOptions {
  readonly username?: string
  readonly fullName?: string
  readonly tier: Tier
  readonly credits?: number
  readonly passwordStdin?: boolean
}

export const create: AdminCommand = {
  usage: 'create',
  summary:
    'Create a verified account without sending a mail, and print its API key and, unless it was given, a generated password.',
  examples: [
    ['create ada@example.org', 'a free account with 350 credits and a generated password'],
    ['create ada@example.org --username Ada --tier pro --credits 100000', 'an account of type pro'],
    ['create ada@example.org --password-stdin --json < password.txt', 'for a script'],
  ],
  mayCreate: true,
  shape: (command) =>
    command
      .addArgument(new Argument('<email>', 'e-mail address'))
      .addOption(new Option('--username <name>', 'username; default: the part of the address before the @'))
      .addOption(new Option('--full-name <name>', 'full name; default: the username'))
      .addOption(new Option('--tier <type>', 'account type').choices(TIERS).default('free'))
      .addOption(
        new Option('--credits <n>', 'initial credits; default: those of a registered account').argParser(
          readNumber(0, MAX_CREDITS),
        ),
      )
      .option('--password-stdin', 'read the password from standard input'),
  read: async (address: string, options: CreateOptions) => [
    address,
    await namesOf(address, options),
    options,
  ],
  async run(session, address: string, names: Names, options: CreateOptions) {
    const given = await passwordOf(session, options)
    const { createPasswords } = await import('../../secrets/passwords.ts')
    const { vault } = await session.secrets()
    const { createAccount, newAccount } = await import('../../operator/accounts.ts')
    const passwords = createPasswords()
    const { account, apiKey, password } = await newAccount(
      { vault, hashPassword: (text) => passwords.hash(text) },
      {
        ...{ email: address, ...names, password: given, tier: options.tier },
        credits: options.credits ?? session.plan.current().initialCredits.registered,
        event: eventBy('create'),
      },
    )
    const created = await session.store.run(createAccount, account)
    if (created === null) throw addressTaken(address)
    const found = await find(session, created)
    const generated = options.passwordStdin ? {} : { password }
    await session.print(
      { ...accountJson(found, session.plan.current().tiers), api_key: apiKey, ...generated },
      [
        `Created ${nameOf(found)}: ${found.tier}, ${found.credits} credits.`,
        `API key   ${apiKey}`,
        ...(options.passwordStdin ? [] : [`Password  ${password}`]),
        options.passwordStdin
          ? 'Logging in returns the key again.'
          : 'The password is shown only now; logging in with it returns the key again.',
      ].join('\n'),
    )
  },
}

interface Names {
  readonly username: string
  readonly fullName: string
}

/** Throws CommandFailure where an argument is not what registration takes. */
async function namesOf(address: string, options: CreateOptions): Promise<Names> {
  const { readEmail, readFullName, readUsername } = await import('./account-texts.ts')
  readEmail(address, "The value for 'email' is not valid.")
  const username = readUsername(
    options.username ?? address.split('@')[0].slice(0, 100),
    'The value for --username is not valid.',
  )
  return {
    username,
    fullName: readFullName(options.fullName ?? username, 'The value for --full-name is not valid.'),
  }
}

/** Undefined: a random one is to be made. */
async function passwordOf({ terminal }: AdminSession, options: CreateOptions): Promise<string | undefined> {
  if (!options.passwordStdin) return undefined
  const { readPassword } = await import('./account-texts.ts')
  return readPassword((await terminal.input()).replace(/\r?\n$/, ''), 'The password is not valid.')
}
