/** A line of the audit as exports and the interface over HTTP print it. */
import { isoTime } from '../../base/time.ts'
import type { AuditLine } from './audit-pages.ts'

/** Names and contents of the columns, in order. */
export const COLUMNS: readonly (readonly [
  name: string,
  value: (line: AuditLine) => string | number | boolean | null,
])[] = [
  ['at', (line) => isoTime(line.at)],
  ['id', (line) => line.id],
  ['account_id', (line) => line.accountId],
  ['key_id', (line) => line.keyId],
  ['kind', (line) => line.kind],
  ['method', (line) => line.method],
  ['path', (line) => line.path],
  ['status', (line) => line.status],
  ['code', (line) => line.code],
  ['credits', (line) => line.credits],
  ['calls', (line) => line.calls],
  ['ip', (line) => line.ip],
  ['request_id', (line) => line.requestId],
  ['duration_ms', (line) => line.durationMs],
  ['replayed', (line) => line.replayed === 1],
  ['detail', (line) => line.detail],
]

export const auditJson = (line: AuditLine): Record<string, unknown> => ({
  ...Object.fromEntries(COLUMNS.map(([name, value]) => [name, value(line)])),
  detail: line.detail === null ? null : JSON.parse(line.detail),
})
