/** The commands that print the calls of a day, and what the calls of a month cost. */
import { open, rename, rm } from 'node:fs/promises'
import { Option } from 'commander'
import type { AccountReference } from '../../../accounts/account.ts'
import { keepIn } from '../../../accounts/history.ts'
import type { ReadSums } from '../../../accounts/usage-sums.ts'
import { csvRow } from '../../../base/csv.ts'
import { plural } from '../../../base/text.ts'
import { dayName } from '../../../base/time.ts'
import { keepOnce } from '../../../ledger/store/facts.ts'
import type { Runner } from '../../../ledger/store/store.ts'
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
import {
  checkUsageDay,
  USAGE_COLUMNS,
  type UsageRow,
  type UsageTotals,
  usageJson,
  usageRows,
  usageTotals,
} from '../../../operators/usage-days.ts'
import { type AdminCommand, find, readAccount, readDay } from './command.ts'
import { CommandFailure, EXIT } from './failure.ts'

interface ExportOptions {
  readonly day: number
  readonly format: 'csv' | 'parquet'
  readonly output?: string
}

/** Rows that are written together. */
const CHUNK = 5_000

type Write = (text: string) => Promise<unknown>

export const exportUsage: AdminCommand = {
  usage: 'export-usage',
  summary:
    'Writes the calls of a day (UTC), and the refunds made on it, to a file. The same day gives the same bytes, also after accounts were deleted; if the clock of the database was set back into the day, the calls of that time are added, and the command says so. A day can be exported from an hour after its end until its audit is past its retention. Prints what the rows add up to, which is compared with the sums of the database.',
  examples: [
    ['export-usage --day 2026-01-31 > 2026-01-31.csv', 'a table'],
    ['export-usage --day 2026-01-31 --format parquet --output 2026-01-31.parquet', 'for a data warehouse'],
  ],
  shape: (command) =>
    command
      .addOption(new Option('--day <day>', 'day, UTC: 2026-01-31').argParser(readDay).makeOptionMandatory())
      .addOption(new Option('--format <format>', 'format').choices(['csv', 'parquet']).default('csv'))
      .option('--output <file>', 'file; default: standard output, for CSV'),
  async run(session, { day, format, output }: ExportOptions) {
    const { json, terminal } = session
    if (output === undefined && (format === 'parquet' || json))
      throw new CommandFailure('Name the file by --output.', EXIT.usage)
    const { close, reads } = await session.openExport()
    try {
      await checkUsageDay(reads, day, session.config.auditRetentionDays)
      const totals = await reads.run(usageTotals, day)
      const counted = counting(usageRows(reads, day))
      if (output === undefined) await writeCsv(counted.rows, terminal.write)
      else {
        // Renamed at the end, so that the file appears complete or not at all.
        const part = `${output}.part`
        try {
          if (format === 'parquet') await writeParquet(counted.rows, part, day, totals)
          else await toFile(part, (write) => writeCsv(counted.rows, write))
          counted.check(totals)
          await rename(part, output)
        } finally {
          await rm(part, { force: true })
        }
      }
      counted.check(totals)
      const added = totals.rows - (await firstTotals(session.store, day, totals)).rows
      if (added !== 0)
        terminal.tell(
          `${dayName(day)} has ${plural(added, 'row')} more than at its first export, because the clock of the database was set back into the day: load this file in place of the first one.`,
        )
      const result = { day: dayName(day), ...totals }
      const text = `${result.day}: ${plural(totals.rows, 'row')}, ${plural(totals.calls, 'call')}, ${plural(totals.credits, 'credit')}, ${plural(totals.refunds, 'refund')}`
      if (output === undefined) terminal.tell(text)
      else await session.print({ ...result, output }, text)
    } finally {
      await close()
    }
  },
}

/** The sums of a day at its first export, which the database keeps. */
const firstTotals = async (store: Runner, day: number, totals: UsageTotals): Promise<UsageTotals> =>
  JSON.parse(await store.run(keepOnce, `usage exported of ${dayName(day)}`, JSON.stringify(totals)))

/** Passes the rows on and adds them up, so that their sums can be compared with those of the database. */
function counting(rows: AsyncIterable<UsageRow>) {
  const seen = { rows: 0, calls: 0, credits: 0, refunds: 0 }
  return {
    rows: (async function* () {
      for await (const row of rows) {
        seen.rows += 1
        seen.calls += row.calls
        seen.credits += row.credits
        if (row.kind === 'refund') seen.refunds += 1
        yield row
      }
    })(),
    check(totals: UsageTotals) {
      for (const name of ['rows', 'calls', 'credits', 'refunds'] as const)
        if (seen[name] !== totals[name])
          throw new CommandFailure(
            `The rows have ${seen[name]} ${name}, but the database counted ${totals[name]}: the day was not closed, or its audit is being deleted.`,
          )
    },
  }
}

async function writeCsv(rows: AsyncIterable<UsageRow>, write: Write): Promise<void> {
  const names = USAGE_COLUMNS.map(({ name }) => name)
  let chunk = [csvRow(names)]
  for await (const row of rows) {
    const printed = usageJson(row)
    chunk.push(csvRow(names.map((name) => printed[name])))
    if (chunk.length < CHUNK) continue
    await write(chunk.join(''))
    chunk = []
  }
  await write(chunk.join(''))
}

async function toFile(path: string, fill: (write: Write) => Promise<void>): Promise<void> {
  const file = await open(path, 'w')
  try {
    await fill((text) => file.appendFile(text))
  } finally {
    await file.close()
  }
}

/** Rows of a row group of the file, which are in memory together. */
const GROUP_ROWS = 20_000

async function writeParquet(
  rows: AsyncIterable<UsageRow>,
  path: string,
  day: number,
  totals: UsageTotals,
): Promise<void> {
  const { fileWriter, parquetWriteRows } = await import('hyparquet-writer')
  const sums = Object.entries({ day: dayName(day), ...totals })
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: typed(rows),
    columns: [...USAGE_COLUMNS],
    rowGroupSize: GROUP_ROWS,
    createdBy: 'quantd',
    kvMetadata: sums.map(([key, value]) => ({ key: `quantd.${key}`, value: String(value) })),
  })
}

async function* typed(rows: AsyncIterable<UsageRow>): AsyncGenerator<Record<string, unknown>> {
  const whole = (value: number | null) => (value === null ? null : BigInt(value))
  for await (const row of rows)
    yield {
      ...row,
      at: new Date(row.at),
      account_id: whole(row.account_id),
      key_id: whole(row.key_id),
      team_key_id: whole(row.team_key_id),
      status: whole(row.status),
      calls: whole(row.calls),
      credits: whole(row.credits),
      duration_ms: whole(row.duration_ms),
      replayed: row.replayed === null ? null : row.replayed === 1,
    }
}

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
