/** Verbs that create, list, show and delete accounts. */
import { randomBytes } from 'node:crypto'
import { Argument, InvalidArgumentError, Option } from 'commander'
import Type, { type TSchema } from 'typebox'
import { addressOf, oneSpelling } from '../../accounts/address.ts'
import { email, fullName, newPassword, username } from '../../accounts/fields.ts'
import { validator } from '../../body/validate.ts'
import { Failure } from '../../errors.ts'
import { uuidv7 } from '../../ids.ts'
import type { Tier } from '../../ledger/tiers.ts'
import { sealKey } from '../../secrets/keys.ts'
import { createPasswords } from '../../secrets/passwords.ts'
import { CommandFailure, EXIT } from './failure.ts'
import { eventBy } from './session.ts'
import {
  type AdminSession,
  find,
  nameOf,
  noAccount,
  readNumber,
  readWho,
  type Verb,
  type Who,
} from './verb.ts'
import { accountJson, accountText, foundJson, listHeading, listLine } from './views.ts'

export const TIERS = ['free', 'basic', 'standard', 'pro'] as const
export const MOST_CREDITS = 1_000_000_000
const PAGE = 500

/** The argument that names the account. */
export const whoArgument = () =>
  new Argument('<account>', 'e-mail address or number of the account').argParser(readWho)

export const yesOption = () => new Option('--yes', 'do not ask')

/**
 * Reads a text by the schema that registration has for it.
 * @param rule the schema's rule as this command states it: after `It must be`
 */
function readBy(schema: TSchema, rule: string): (text: string) => string {
  const { validate } = validator<{ text: string }>(Type.Object({ text: schema }))
  return (text) => {
    try {
      return validate({ text }).text
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      throw new InvalidArgumentError(`It must be ${rule}.`)
    }
  }
}
const readEmail = readBy(email, 'one e-mail address, such as ada@example.org')
const readUsername = readBy(username, '1 to 100 printable characters')
const readFullName = readBy(fullName, '1 to 200 printable characters')
const readPassword = readBy(newPassword, '8 to 128 characters')

interface CreateOptions {
  readonly username?: string
  readonly fullName?: string
  readonly tier: Tier
  readonly credits?: number
  readonly passwordStdin?: boolean
}

const create: Verb = {
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
      .addArgument(new Argument('<email>', 'e-mail address').argParser(readEmail))
      .addOption(
        new Option('--username <name>', 'username; default: the part of the address before the @').argParser(
          readUsername,
        ),
      )
      .addOption(new Option('--full-name <name>', 'full name; default: the username').argParser(readFullName))
      .addOption(new Option('--tier <type>', 'account type').choices(TIERS).default('free'))
      .addOption(
        new Option('--credits <n>', 'initial credits; default: those of a registered account').argParser(
          readNumber(0, MOST_CREDITS),
        ),
      )
      .option('--password-stdin', 'read the password from standard input'),
  async run(session, address: string, options: CreateOptions) {
    const password = await passwordFor(session, options)
    const name = options.username ?? readUsername(address.split('@')[0]!.slice(0, 100))
    const { vault } = await session.secrets()
    const passwordHash = await createPasswords().hash(password)
    const uid = uuidv7()
    const { apiKey, stored } = sealKey(vault, 'user', uid)
    const created = await session.write((store) =>
      store.createAccount({
        uid,
        address: addressOf(address),
        email: oneSpelling(address),
        username: name,
        fullName: options.fullName ?? name,
        passwordHash,
        tier: options.tier,
        credits: options.credits ?? session.config.initialCredits.registered,
        key: stored,
        event: eventBy('create'),
      }),
    )
    if (created === null) throw new CommandFailure(`The address ${address} already has an account.`)
    const account = await find(session, created)
    const generated = options.passwordStdin ? {} : { password }
    await session.print(
      { ...accountJson(account, session.config.tiers), api_key: apiKey, ...generated },
      [
        `Created ${nameOf(account)}: ${account.tier}, ${account.credits} credits.`,
        `API key   ${apiKey}`,
        ...(options.passwordStdin ? [] : [`Password  ${password}`]),
        options.passwordStdin
          ? 'Logging in returns the key again.'
          : 'The password is shown only now; logging in with it returns the key again.',
      ].join('\n'),
    )
  },
}

async function passwordFor({ terminal }: AdminSession, options: CreateOptions): Promise<string> {
  if (!options.passwordStdin) return randomBytes(15).toString('base64url')
  const password = (await terminal.input()).replace(/\r?\n$/, '')
  try {
    return readPassword(password)
  } catch (error) {
    throw new CommandFailure(`The password is not valid. ${(error as Error).message}`, EXIT.usage)
  }
}

const list: Verb = {
  usage: 'list',
  summary: 'List the accounts by number; with --json one object per line.',
  examples: [
    ['list', 'all accounts, guests included'],
    ['list --limit 100 --after 1200', 'the hundred accounts after account 1200'],
    ["list --json | jq -r 'select(.credits < 10) | .email'", 'accounts with fewer than 10 credits'],
  ],
  shape: (command) =>
    command
      .addOption(
        new Option('--after <account>', 'start after this account number')
          .argParser(readNumber(0, Number.MAX_SAFE_INTEGER))
          .default(0),
      )
      .addOption(
        new Option('--limit <n>', 'maximum number of accounts; default: all').argParser(
          readNumber(1, 1_000_000_000),
        ),
      ),
  async run({ config, json, reads, terminal }, options: { after: number; limit?: number }) {
    const most = options.limit ?? Number.MAX_SAFE_INTEGER
    if (!json) await terminal.write(`${listHeading}\n`)
    let after = options.after
    for (let printed = 0; printed < most; ) {
      const limit = Math.min(PAGE, most - printed)
      const page = await reads.accountsPage({ after, limit })
      const lines = page.map((account) =>
        json ? JSON.stringify(accountJson(account, config.tiers)) : listLine(account),
      )
      await terminal.write(lines.map((line) => `${line}\n`).join(''))
      if (page.length < limit) return
      printed += page.length
      after = page.at(-1)!.accountId
    }
    if (!json) terminal.tell(`There may be more: add --after ${after}`)
  },
}

const show: Verb = {
  usage: 'show',
  summary: 'Show one account: its type, credits, limits and the state of its key. No secret is shown.',
  examples: [
    ['show ada@example.org', 'by e-mail address'],
    ['show 17 --json', 'by number, for a script'],
  ],
  shape: (command) => command.addArgument(whoArgument()),
  async run(session, who: Who) {
    const account = await find(session, who)
    await session.print(foundJson(account, session.config.tiers), accountText(account, session.config.tiers))
  },
}

const deleteAccount: Verb = {
  usage: 'delete-account',
  summary:
    'Delete an account with its keys, credits, ledger, secrets and address, and the guests it has taken over. Its audit rows stay.',
  examples: [
    ['delete-account ada@example.org', 'asks for confirmation'],
    ['delete-account 17 --yes --json', 'for a script'],
  ],
  shape: (command) => command.addArgument(whoArgument()).addOption(yesOption()),
  async run(session, who: Who, options: { yes?: boolean }) {
    const account = await find(session, who)
    await session.confirm(
      `This deletes ${nameOf(account)} with its key and its ${account.credits} credits and cannot be undone.`,
      options.yes,
    )
    const { accountId } = account
    const isDeleted = await session.write((store) =>
      store.deleteAccount({ accountId, event: eventBy('delete-account') }),
    )
    if (!isDeleted) throw noAccount(who)
    await session.print({ account_id: accountId, deleted: true }, `Deleted ${nameOf(account)}.`)
  },
}

export const accountVerbs: readonly Verb[] = [create, list, show, deleteAccount]
