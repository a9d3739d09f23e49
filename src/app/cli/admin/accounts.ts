/** The command that lists accounts, page by page. */

import { Option } from 'commander'
import { dayName, isoTime } from '../../../base/time.ts'
import { type AccountView, accountJson, accountsPage } from '../../../operators/accounts.ts'
import { type AdminCommand, readNumber } from './command.ts'

const PAGE = 500

export const list: AdminCommand = {
  usage: 'list',
  summary: 'Lists the accounts by number; with --json one object per line.',
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
    const most = options.limit ?? Number.MAX_SAFE_INTEGER
    if (!json) await terminal.write(`${listHeading}\n`)
    let after = options.after
    for (let printed = 0; printed < most; ) {
      const limit = Math.min(PAGE, most - printed)
      const page = await reads.run(accountsPage, { after, limit })
      const lines = page.map((account) =>
        json ? JSON.stringify(accountJson(account, plan.current())) : listLine(account),
      )
      await terminal.write(lines.map((line) => `${line}\n`).join(''))
      if (page.length < limit) return
      printed += page.length
      after = page.at(-1)!.accountId
    }
    if (!json) terminal.tell(`There may be more: add --after ${after}`)
  },
}

const listHeading = row(['account', 'type', 'credits', 'API key', 'created', 'expires', 'e-mail'])

const listLine = (account: AccountView): string =>
  row([
    account.accountId,
    account.tier,
    account.credits,
    account.keyStatus ?? 'none',
    dayName(account.createdAt),
    isoTime(account.expiresAt)?.replace('T', ' ').slice(0, 16) ?? '-',
    account.email ?? (account.linkedTo === null ? '-' : `- (taken over by account ${account.linkedTo})`),
  ])

function row([account, tier, credits, key, created, expires, email]: readonly unknown[]): string {
  const columns = [String(account).padStart(9), String(tier).padEnd(8), String(credits).padStart(11)]
  const dates = [String(created).padEnd(10), String(expires).padEnd(16)]
  return [...columns, String(key).padEnd(9), ...dates, email].join('  ')
}
