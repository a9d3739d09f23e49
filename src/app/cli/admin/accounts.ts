/** The command that lists accounts, page by page. */

import { Option } from 'commander'
import { dayName, isoTime } from '../../../base/time.ts'
import { type AccountOrder, type AccountPlace, accountsPage } from '../../../operators/account-list.ts'
import { type AccountView, accountJson } from '../../../operators/accounts.ts'
import { accountFilter } from '../../../operators/http/account-endpoints.ts'
import type { OperatorEndpoint } from '../../../operators/http/endpoint.ts'
import { optionsFor } from './act-command.ts'
import { type AdminCommand, readNumber } from './command.ts'

const PAGE = 500

/** The fields of a list that are options; the text is the argument. */
const FIELDS = [
  'account_type',
  'state',
  'min_credits',
  'max_credits',
  'used_since',
  'unused_since',
  'sort',
] as const

interface Options {
  readonly after: number
  readonly limit?: number
}

export const listAccounts = (act: OperatorEndpoint): AdminCommand => ({
  usage: 'list',
  summary: 'Lists the accounts by number, or finds them by a text; with --json one object per line.',
  examples: [
    ['list', 'all accounts, guests included'],
    ['list example.org', 'those whose address, names or team keys contain the text'],
    ['list --account-type registered --sort most_credits --limit 20', 'the 20 with most credits'],
    ['list --limit 100 --after 1200', 'the hundred accounts after account 1200'],
    ["list --json | jq -r 'select(.credits < 10) | .email'", 'accounts with fewer than 10 credits'],
  ],
  shape: (command) =>
    optionsFor(act, FIELDS)
      .addTo(command.argument('[text]', 'words of addresses and names, a number, a key or its start'))
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
  async run({ json, plan, reads, terminal }, text: string | undefined, options: Options) {
    const most = options.limit ?? Number.MAX_SAFE_INTEGER
    const { sort = 'oldest', ...given } = optionsFor(act, FIELDS).read(options as never)
    const order = sort as AccountOrder
    const filter = { ...accountFilter(given), text }
    if (!json) await terminal.write(`${listHeading}\n`)
    let after: AccountPlace | null = options.after === 0 ? null : { value: options.after, id: options.after }
    let number = options.after
    for (let printed = 0; printed < most; ) {
      const page = await reads.run(accountsPage, {
        after,
        filter,
        order,
        limit: Math.min(PAGE, most - printed),
      })
      const lines = page.items.map((account) =>
        json ? JSON.stringify(accountJson(account, plan.current())) : listLine(account),
      )
      await terminal.write(lines.map((line) => `${line}\n`).join(''))
      if (page.next === null) return
      printed += page.items.length
      after = page.next
      number = after.id
    }
    if (!json && order === 'oldest') terminal.tell(`There may be more: add --after ${number}`)
  },
})

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
