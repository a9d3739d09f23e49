/** Commands that list, show and delete accounts. */
import { Option } from 'commander'
import { accountJson, foundJson } from '../../operator/account-json.ts'
import {
  type AdminCommand,
  find,
  nameOf,
  noAccount,
  readNumber,
  type Who,
  whoArgument,
  yesOption,
} from './command.ts'
import { eventBy } from './event.ts'
import { accountText, listHeading, listLine } from './views.ts'

const PAGE = 500

const list: AdminCommand = {
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
  async run({ json, plan, reads, terminal }, options: { after: number; limit?: number }) {
    const { accountsPage } = await import('../../operator/views.ts')
    const most = options.limit ?? Number.MAX_SAFE_INTEGER
    if (!json) await terminal.write(`${listHeading}\n`)
    let after = options.after
    for (let printed = 0; printed < most; ) {
      const limit = Math.min(PAGE, most - printed)
      const page = await reads.run(accountsPage, { after, limit })
      const lines = page.map((account) =>
        json ? JSON.stringify(accountJson(account, plan.current().tiers)) : listLine(account),
      )
      await terminal.write(lines.map((line) => `${line}\n`).join(''))
      if (page.length < limit) return
      printed += page.length
      after = page.at(-1)!.accountId
    }
    if (!json) terminal.tell(`There may be more: add --after ${after}`)
  },
}

const show: AdminCommand = {
  usage: 'show',
  summary: 'Show one account: its type, credits, limits and the state of its key. No secret is shown.',
  examples: [
    ['show ada@example.org', 'by e-mail address'],
    ['show 17 --json', 'by number, for a script'],
  ],
  shape: (command) => command.addArgument(whoArgument()),
  async run(session, who: Who) {
    const account = await find(session, who)
    await session.print(
      foundJson(account, session.plan.current().tiers),
      accountText(account, session.plan.current().tiers),
    )
  },
}

const deleteAccountCommand: AdminCommand = {
  usage: 'delete-account',
  summary:
    'Delete an account, and the guests it has taken over: its keys, credits, secrets, address, names and client addresses. Its calls and movements of credits stay without its owner.',
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
    const { deleteAccount } = await import('../../operator/accounts.ts')
    const isDeleted = await deleteAccount(session.store, { accountId, event: eventBy('delete-account') })
    if (!isDeleted) throw noAccount(who)
    await session.print({ account_id: accountId, deleted: true }, `Deleted ${nameOf(account)}.`)
  },
}

export const accountCommands: readonly AdminCommand[] = [list, show, deleteAccountCommand]
