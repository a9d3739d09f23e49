/** The records about an account and the guests it took over, kind by kind, in pages. No secret is among them. */
import { sql as raw } from 'kysely'
import { EXPORT_PAGE } from '../base/limits/callers.ts'
import { auditParts, piecesOf } from '../ledger/store/audit.ts'
import { auditJson, auditPage } from '../ledger/store/audit-pages.ts'
import { isPlace, type Place } from '../ledger/store/page-cursors.ts'
import type { Schema } from '../ledger/store/schema.ts'
import { first, rows, type Sql, type Transaction } from '../ledger/store/sql.ts'
import { withGuests } from './usage-pages.ts'

interface KeptRecord {
  readonly kind: keyof typeof KEPT
  readonly values: Readonly<Record<string, unknown>>
}

/** Where a page begins: a step of the export, and the columns of the last row that tell its place. */
export interface KeptPlace {
  readonly step: number
  readonly after: readonly (string | number)[] | null
}

/** A page of at most EXPORT_PAGE.records; `next` is null on the last one. Null: no page begins at this place. */
export function* keptPage(
  sql: Sql,
  accountId: number,
  place: KeptPlace,
): Transaction<{ records: KeptRecord[]; next: KeptPlace | null } | null> {
  const owners = yield* withGuests(sql, accountId)
  if (!canBegin(place, owners.length)) return null
  const records: KeptRecord[] = []
  let { after } = place
  for (let { step } = place; step < KINDS.length * owners.length; step++) {
    const limit = EXPORT_PAGE.records - records.length
    if (limit === 0) return { records, next: { step, after } }
    const accountId = owners[step % owners.length]
    const kind = Math.floor(step / owners.length)
    const page = yield* KINDS[kind].read(sql, { accountId, after, limit })
    records.push(...page.rows.map((values) => ({ kind: KIND_NAMES[kind], values })))
    after = page.next
    if (after !== null) return { records, next: { step, after } }
  }
  return { records, next: null }
}

interface Query {
  readonly accountId: number
  readonly after: KeptPlace['after']
  readonly limit: number
}

interface Rows {
  readonly rows: Record<string, unknown>[]
  readonly next: KeptPlace['after']
}

/** The rows of a table. @param by the column of the owner @param place in the order of an index by owner */
const rowsOf = <Table extends keyof Schema & string>(
  table: Table,
  by: keyof Schema[Table] & string,
  place: Partial<Record<keyof Schema[Table] & string, Place[string]>>,
  columns: readonly (keyof Schema[Table] & string)[],
) => ({
  table,
  place: place as Place,
  columns: [...new Set([...Object.keys(place), ...columns])] as readonly string[],
  *read(sql: Sql, { accountId, after, limit }: Query): Transaction<Rows> {
    const owners =
      by === 'account_id' || table === 'accounts' ? [accountId] : yield* ownersOf(sql, accountId, by)
    if (owners.length === 0) return { rows: [], next: null }
    const names = raw.join(this.columns.map((column) => raw.ref(column)))
    const order = raw.join(Object.keys(place).map((column) => raw.ref(column)))
    const later = after === null ? raw`` : raw`AND (${order}) > (${raw.join(after)})`
    const query = raw`SELECT ${names} FROM ${raw.table(table)}
      WHERE ${raw.ref(by)} IN (${raw.join(owners)}) ${later} ORDER BY ${order} LIMIT ${raw.lit(limit)}`
    const found = yield query.compile(sql.db)
    const last = found.length < limit ? null : found.at(-1)!
    const next = last && Object.keys(place).map((column) => last[column] as string | number)
    return { rows: found.map(readable), next }
  },
})

/** The addresses, or the numbers of the keys, of an account. */
function* ownersOf({ db }: Sql, accountId: number, by: string): Transaction<(string | number)[]> {
  if (by === 'key_id') {
    const keys = db.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
    return (yield* rows(keys)).map(({ id }) => id)
  }
  const account = db.selectFrom('accounts').select(['address', 'email']).where('id', '=', accountId)
  const { address = null, email = null } = (yield* first(account)) ?? {}
  return [...new Set([address, email])].filter((text) => text !== null)
}

/** The row with its times in ISO 8601. */
const readable = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      /(^|_)at$|^minute$/.test(name) && value !== null ? new Date(Number(value)).toISOString() : value,
    ]),
  )

/** Calls, uses of the account's endpoints and events, of a limited number of days. */
const history = {
  table: 'audit',
  place: { at: 'number', id: 'string' } as Place,
  columns: [] as readonly string[],
  *read(sql: Sql, { accountId, after, limit }: Query): Transaction<Rows> {
    const [at = 0, id = ''] = after ?? []
    const until = (yield* sql.clock()) + 1
    const pieces = piecesOf(yield* auditParts(sql), { from: Number(at), to: until }).slice(
      0,
      EXPORT_PAGE.days,
    )
    const to = pieces.at(-1)!.to
    const range = { from: Number(at), to, accountId, requestId: null, limit }
    const place = after === null ? null : { at: Number(at), id: String(id) }
    const lines = yield* auditPage(sql, { ...range, after: place })
    const last = lines.at(-1)
    const next = lines.length === limit ? [last!.at, last!.id!] : to < until ? [to, ''] : null
    return { rows: lines.map(auditJson), next }
  },
}

/** The records of each kind, in the order of the export. */
const KEPT = {
  account: rowsOf('accounts', 'id', { id: 'number' }, [
    'tier',
    'balance',
    'debt',
    'email',
    'username',
    'full_name',
    'created_at',
    'verified_at',
    'expires_at',
    'hour_limit',
    'day_limit',
    'work_limit',
    'low_credits',
    'totp_enabled_at',
    'sign_on',
    'linked_to',
    'device_id',
    'device_name',
    'platform',
  ]),
  api_key: rowsOf('api_keys', 'account_id', { id: 'number' }, [
    'status',
    'created_at',
    'team_key_id',
    'prefix',
    'last4',
    'ends_at',
  ]),
  team_key: rowsOf('team_keys', 'account_id', { id: 'number' }, [
    'name',
    'paths',
    'allowed_ips',
    'credit_cap',
    'cap_period',
    'spent',
    'spent_total',
    'hourly_limit',
    'created_at',
    'expires_at',
    'last_used_at',
  ]),
  registration: rowsOf('registrations', 'address', { id: 'number' }, [
    'email',
    'username',
    'full_name',
    'client',
    'created_at',
    'code_sent_at',
    'code_expires_at',
  ]),
  password_reset: rowsOf('password_resets', 'account_id', { account_id: 'number' }, [
    'code_sent_at',
    'code_expires_at',
    'code_attempts',
  ]),
  recovery_code: rowsOf('recovery_codes', 'account_id', { id: 'number' }, []),
  notice: rowsOf('notices', 'account_id', { credits: 'number' }, ['mailed_at']),
  mail: rowsOf('mails', 'recipient', { id: 'string' }, [
    'recipient',
    'created_at',
    'attempts',
    'next_at',
    'last_error',
  ]),
  ledger: rowsOf('ledger', 'account_id', { id: 'number' }, [
    'at',
    'kind',
    'amount',
    'audit_id',
    'note',
    'reference',
    'team_key_id',
  ]),
  lot: rowsOf('lots', 'account_id', { id: 'number' }, [
    'reference',
    'granted',
    'remaining',
    'expired',
    'expires_at',
  ]),
  idempotency_key: rowsOf('bindings', 'account_id', { idempotency_key: 'string' }, [
    'audit_id',
    'expires_at',
    'replayed',
  ]),
  approval: rowsOf('approvals', 'account_id', { id: 'number' }, [
    'act',
    'input',
    'asked_at',
    'expires_at',
    'state',
    'decided_at',
  ]),
  event: rowsOf('webhook_events', 'account_id', { id: 'number' }, ['type', 'data', 'at']),
  refusal: rowsOf(
    'refusals',
    'key_id',
    { key_id: 'number', ip: 'string', code: 'string', minute: 'number' },
    ['count'],
  ),
  failed_attempt: rowsOf(
    'failed_attempts',
    'account_id',
    { minute: 'number', subject: 'string', ip: 'string', path: 'string', code: 'string' },
    ['count'],
  ),
  history,
}

const KINDS = Object.values(KEPT)
export const KIND_NAMES = Object.keys(KEPT) as readonly (keyof typeof KEPT)[]

/** Whether a page can begin at the place, which another version may have written. */
function canBegin({ after, step }: KeptPlace, owners: number): boolean {
  if (!Number.isSafeInteger(step) || step < 0 || step >= KINDS.length * owners) return false
  return after === null || isPlace(KINDS[Math.floor(step / owners)].place, after)
}

/** The columns of each table that an export contains; an empty list: all. */
export const keptColumns = (): Map<string, readonly string[]> =>
  new Map(KINDS.map(({ columns, table }) => [table, columns]))
