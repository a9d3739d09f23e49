/** A line of the audit as exports and the interface over HTTP print it. */
import { isoTime } from '../../base/time.ts'
import type { AuditLine } from './audit-pages.ts'

/** The contents of the columns by their names, in order. */
const VALUES = {
  at: (line: AuditLine) => isoTime(line.at),
  id: (line: AuditLine) => line.id,
  account_id: (line: AuditLine) => line.accountId,
  key_id: (line: AuditLine) => line.keyId,
  kind: (line: AuditLine) => line.kind,
  method: (line: AuditLine) => line.method,
  path: (line: AuditLine) => line.path,
  status: (line: AuditLine) => line.status,
  code: (line: AuditLine) => line.code,
  credits: (line: AuditLine) => line.credits,
  calls: (line: AuditLine) => line.calls,
  ip: (line: AuditLine) => line.ip,
  request_id: (line: AuditLine) => line.requestId,
  duration_ms: (line: AuditLine) => line.durationMs,
  replayed: (line: AuditLine) => line.replayed === 1,
  detail: (line: AuditLine) => line.detail,
}
type Values = typeof VALUES

/** Of a batch, its calls by path; of other rows, facts that depend on their kind. */
export type AuditDetail = { path: string; calls: number }[] | Record<string, unknown>

/** A row in JSON. */
export type AuditRow = { [Name in Exclude<keyof Values, 'detail'>]: ReturnType<Values[Name]> } & {
  detail: AuditDetail | null
}

/** Names and contents of the columns, in order. */
export const COLUMNS = Object.entries(VALUES)

export const auditJson = (line: AuditLine): AuditRow => ({
  ...(Object.fromEntries(COLUMNS.map(([name, value]) => [name, value(line)])) as AuditRow),
  detail: line.detail === null ? null : JSON.parse(line.detail),
})
