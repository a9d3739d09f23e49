/** The ledger's part of the books as PostgreSQL's text: rows read by position, and rows to write. */
import type { Tier } from '../../ledger/tiers.ts'
import type { AuditRow, Binding, KeyStatus, LedgerAccount, LedgerKey, Writes } from '../../ledger/types.ts'
import type { Row } from './exchange.ts'

/** Of `accountColumns`. */
export const accountFrom = ([
  id,
  tier,
  balance,
  verifiedAt,
  expiresAt,
  hourLimit,
  dayLimit,
  ...windows
]: Row): LedgerAccount => ({
  id: Number(id),
  tier: tier as Tier,
  balance: Number(balance),
  verified: verifiedAt !== null,
  expiresAt: numberOf(expiresAt),
  hourLimit: numberOf(hourLimit),
  dayLimit: numberOf(dayLimit),
  minute: { startedAt: Number(windows[0]), count: Number(windows[1]) },
  hour: { startedAt: Number(windows[2]), count: Number(windows[3]) },
  day: { startedAt: Number(windows[4]), count: Number(windows[5]) },
})

/** Behind the clock and the epoch. */
export const keyFrom = ([, , id, accountId, status]: Row): LedgerKey => ({
  id: Number(id),
  accountId: Number(accountId),
  status: status as KeyStatus,
})

/** Of `bindingColumns`. */
export const bindingFrom = ([
  accountId,
  idempotencyKey,
  requestHash,
  auditId,
  expiresAt,
  replayed,
]: Row): Binding => ({
  accountId: Number(accountId),
  idempotencyKey: idempotencyKey!,
  requestHash: requestHash!,
  auditId: auditId!,
  expiresAt: Number(expiresAt),
  replayed: replayed === '1',
})

const numberOf = (text: string | null | undefined): number | null => (text == null ? null : Number(text))

export const accountRow = (account: Writes['accounts'][number]) => ({
  id: account.id,
  balance: account.balance,
  minute_started_at: account.minute.startedAt,
  minute_count: account.minute.count,
  hour_started_at: account.hour.startedAt,
  hour_count: account.hour.count,
  day_started_at: account.day.startedAt,
  day_count: account.day.count,
})

/** Of `auditColumns`. */
export const auditRow = (row: AuditRow) => [
  row.id,
  row.at,
  row.accountId,
  row.keyId,
  row.kind,
  row.method,
  row.path,
  row.status,
  row.code,
  row.credits,
  row.calls,
  row.ip,
  row.requestId,
  row.durationMs,
  row.replayed ? 1 : 0,
  row.detail,
]

export const bindingRow = (binding: Writes['bindings'][number]) => ({
  account_id: binding.accountId,
  idempotency_key: binding.idempotencyKey,
  request_hash: binding.requestHash,
  audit_id: binding.auditId,
  expires_at: binding.expiresAt,
  replayed: binding.replayed ? 1 : 0,
})

export const refusalRow = ({ keyId, accountId, ...rest }: Writes['refusals'][number]) => ({
  ...rest,
  key_id: keyId,
  account_id: accountId,
})

/** An array of distinct numbers or ids, which need no quotes. */
export const setOf = (values: readonly (number | string)[]): string => `{${[...new Set(values)]}}`

/** Rows for COPY, in its text format. */
export const copyLines = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(copyText).join('\t')}\n`).join('')

const copyText = (value: string | number | null): string | number => {
  if (value === null) return '\\N'
  return typeof value === 'string' && SPECIAL.test(value) ? value.replace(SPECIALS, escaped) : value
}

const SPECIAL = /[\\\t\n\r]/
const SPECIALS = new RegExp(SPECIAL, 'g')
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (character: string): string => ESCAPES[character]!
