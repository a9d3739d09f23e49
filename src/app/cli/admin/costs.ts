/** The command that prints what the calls of a month cost. */

import { Option } from 'commander'
import type { AccountReference } from '../../../accounts/account.ts'
import { keepIn } from '../../../accounts/history.ts'
import type { ReadSums } from '../../../accounts/usage-sums.ts'
import {
  type CostRow,
  checkMonth,
  costHeading,
  costLine,
  costPage,
  costsOf,
  monthOf,
  totalsOf,
} from '../../../operators/costs.ts'
import { type AdminCommand, find, readAccount } from './command.ts'

/** Accounts that are examined for one page of the report. */
const PAGE = 1_000

export const costReport: AdminCommand = {
  usage: 'cost-report',
  summary:
    'Prints the calls of a month (UTC) and their credits, by registered account, key and operation, as CSV. Failed calls are counted, and cost nothing.',
  examples: [
    ['cost-report --month 2026-01 > 2026-01.csv', 'all accounts with calls in that month'],
    ['cost-report --month 2026-01 --account ada@example.org --json', 'one account, with its totals'],
  ],
  shape: (command) =>
    command
      .addOption(new Option('--month <month>', 'month, UTC: 2026-01').makeOptionMandatory())
      .addOption(
        new Option('--account <account>', 'e-mail address or number; default: all').argParser(readAccount),
      ),
  async run(session, options: { month: string; account?: AccountReference }) {
    const { config, json, store, terminal } = session
    const reads = { run: store.run, keepSums: (overdue: ReadSums['overdue']) => keepIn(store, overdue) }
    const month = monthOf(options.month)
    await checkMonth(store, month, config.auditRetentionDays)
    const account = options.account === undefined ? null : await find(session, options.account)
    const all: CostRow[] = []
    if (!json) await terminal.write(costHeading)
    const take = async (items: readonly CostRow[]) => {
      if (json) all.push(...items)
      else await terminal.write(items.map((item) => costLine(month, item)).join(''))
    }
    if (account !== null) await take(await costsOf(reads, month, account.accountId))
    else
      for (let after: number | null = 0; after !== null; ) {
        const page: Awaited<ReturnType<typeof costPage>> = await costPage(reads, month, {
          after,
          limit: PAGE,
        })
        await take(page.items)
        after = page.next
      }
    if (json) await session.print({ month: month.name, items: all, totals: totalsOf(all) }, '')
  },
}
