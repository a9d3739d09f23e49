/** The command that exports the audit page by page, with one page in memory at a time. */

import { InvalidArgumentError, Option } from 'commander'
import type { AccountReference } from '../../../accounts/account.ts'
import { csvRow } from '../../../base/csv.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/time.ts'
import {
  AUDIT_COLUMNS,
  type AuditLine,
  type AuditRange,
  auditJson,
  auditLines,
} from '../../../ledger/store/audit-pages.ts'
import { type AdminCommand, type AdminSession, find, readAccount, readTime } from './command.ts'
import { CommandFailure, EXIT } from './failure.ts'

/** Lines that are written together. */
const CHUNK = 1_000

interface ExportOptions {
  readonly format: 'ndjson' | 'csv'
  readonly from?: number
  readonly since?: number
  readonly to?: number
  readonly account?: AccountReference
  readonly requestId?: string
}

export const exportAudit: AdminCommand = {
  usage: 'export-audit',
  summary:
    'Prints the audit in order of time: each call with a key, and each event of an account. Refusals are counts per key, IP, reason and minute (kind "refusal"), failed logins and codes are counts per address, IP, endpoint, reason and minute (kind "failed_attempt").',
  examples: [
    ['export-audit > audit.ndjson', 'everything, one JSON object per line'],
    ['export-audit --format csv --from 2026-01-01 --to 2026-02-01 > january.csv', 'one month as a table'],
    ['export-audit --account ada@example.org', 'one account; name a deleted one by its number'],
    [
      'export-audit --since 24h --request-id 019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
      'one request of the last day',
    ],
  ],
  shape: (command) =>
    command
      .addOption(
        new Option('--format <format>', 'output format').choices(['ndjson', 'csv']).default('ndjson'),
      )
      .addOption(
        new Option('--from <time>', 'rows at or after this time: a date or an ISO 8601 time (UTC)').argParser(
          readTime,
        ),
      )
      .addOption(
        new Option('--since <age>', 'rows of the last minutes, hours or days: 30m, 24h, 7d; or as --from')
          .argParser(readSince)
          .conflicts('from'),
      )
      .addOption(new Option('--to <time>', 'rows before this time').argParser(readTime))
      .addOption(
        new Option('--account <account>', 'e-mail address or number of an account').argParser(readAccount),
      )
      .option('--request-id <id>', 'rows of one request, by the id in its reply and in the log'),
  async run(session, options: ExportOptions) {
    const { terminal } = session
    if (options.to !== undefined && options.to < (options.from ?? options.since ?? 0))
      throw new CommandFailure('The end (--to) is before the beginning. Nothing was exported.', EXIT.usage)
    const line = !session.json && options.format === 'csv' ? csvLine : jsonLine
    const { close, newestAt, reads } = await session.openExport()
    try {
      const range = await rangeOf(session, newestAt, options)
      if (line === csvLine) await terminal.write(csvRow(AUDIT_COLUMNS.map(([name]) => name)))
      let chunk: string[] = []
      for await (const audited of auditLines(reads, range)) {
        chunk.push(line(audited))
        if (chunk.length < CHUNK) continue
        await terminal.write(chunk.join(''))
        chunk = []
      }
      await terminal.write(chunk.join(''))
    } finally {
      await close()
    }
  },
}

/** Without --to, the export ends at the newest row when it begins, because a busy service may write faster than it is read. */
async function rangeOf(
  session: AdminSession,
  newestAt: number,
  { account, since, from = since ?? 0, requestId, to }: ExportOptions,
): Promise<AuditRange> {
  const accountId =
    account === undefined
      ? null
      : 'accountId' in account
        ? account.accountId
        : (await find(session, account)).accountId
  return {
    from,
    to: to ?? newestAt + 1,
    accountId,
    requestId: requestId ?? null,
  }
}

const jsonLine = (line: AuditLine): string => `${JSON.stringify(auditJson(line))}\n`

const csvLine = (line: AuditLine): string => csvRow(AUDIT_COLUMNS.map(([, value]) => value(line)))

const AGES_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

function readSince(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (unit !== undefined) return Date.now() - Number(count) * AGES_MS[unit]
  try {
    return readTime(text)
  } catch (error) {
    throw new InvalidArgumentError(`Write it as 30m, 24h or 7d, or as a time. ${(error as Error).message}`)
  }
}
