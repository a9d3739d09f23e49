/** The audit, page by page: calls and events, counted refusals, and counted failed attempts. */
import { ACCOUNT_NUMBER } from '../../accounts/account.ts'
import { givenInstant, nullable, text, whole } from '../../accounts/field-schemas.ts'
import { type CsvValue, csvRow } from '../../base/csv.ts'
import { eventsOfNoAccount } from '../../base/errors/operator.ts'
import { cursorRefused } from '../../base/errors/requests.ts'
import { timeOfId } from '../../base/ids.ts'
import { CLOCK_DIFFERENCE_MS, REQUEST_ID_CHARACTERS } from '../../base/limits/operation.ts'
import { parsedJson } from '../../base/text.ts'
import { Type } from '../../base/type.ts'
import {
  AUDIT_COLUMNS,
  type AuditLine,
  type AuditRange,
  auditJson,
  auditPage,
  failedAttemptPage,
  refusalPage,
} from '../../ledger/store/audit-pages.ts'
import { cursorOf, isPlace, type Place } from '../../ledger/store/page-cursors.ts'
import type { Sql, Transaction } from '../../ledger/store/sql.ts'
import { found } from './account-endpoints.ts'
import { operatorEndpoint } from './endpoint.ts'
import { cursorAfter, format, nextCursor, orNull, page, placeAfter } from './field-schemas.ts'

/** For each kind of rows: the function that reads a page, and the columns that order the rows, with their types. */
const KINDS = {
  calls: { read: auditPage, place: { at: 'number', id: 'string' } },
  events: { read: auditPage, place: { at: 'number', id: 'string' }, only: 'events' },
  acts: { read: auditPage, place: { at: 'number', id: 'string' }, only: 'acts' },
  refusals: { read: refusalPage, place: { at: 'number', keyId: 'number', ip: 'string', code: 'string' } },
  failed_attempts: {
    read: failedAttemptPage,
    place: { at: 'number', ip: 'string', path: 'string', code: 'string', detail: 'string' },
  },
} as const

/** A row of the audit. */
export const auditRow = Type.Object({
  at: text('when'),
  id: orNull('id of a call or event'),
  account_id: nullable(Type.Integer(), 'number of the account; null: it is not known'),
  key_id: nullable(Type.Integer(), 'number of the key; null: the row belongs to none'),
  kind: Type.Enum(['computation', 'account', 'event', 'refusal', 'failed_attempt'], {
    description: 'kind of the row',
  }),
  method: orNull('method of the request'),
  path: orNull('path of the request'),
  status: nullable(Type.Integer(), 'status of the reply'),
  code: orNull('failure code, or name of the event; null: a success'),
  credits: whole('credits charged'),
  calls: whole('computations, or counted refusals or attempts'),
  ip: text('address of the caller'),
  request_id: orNull('id of the request'),
  duration_ms: nullable(Type.Number(), 'time that the request took'),
  replayed: Type.Boolean({ description: 'whether the result of an earlier request was returned again' }),
  detail: nullable(
    Type.Union([
      Type.Array(Type.Object({ path: text('path of the operation'), calls: whole('calls of it') })),
      Type.Record(Type.String(), Type.Unknown()),
    ]),
    'of a batch, its calls by operation; of other rows, facts that depend on their kind; null: none',
  ),
})

export const EXAMPLE_ROW = {
  at: '2026-01-01T12:05:00.000Z',
  id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
  account_id: 17,
  key_id: 21,
  kind: 'computation' as const,
  method: 'POST',
  path: '/quantlib/pricing/bs/price',
  status: 200,
  code: null,
  credits: 1,
  calls: 1,
  ip: '192.0.2.10',
  request_id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
  duration_ms: 2,
  replayed: false,
  detail: null,
}

const exportAudit = operatorEndpoint({
  verb: 'export-audit',
  role: 'viewer',
  path: '/operator/v1/audit',
  title: 'Audit',
  summary:
    'Lists rows of the audit in order of time. `rows` selects their kind: calls and events, the events of one account without its calls, the acts of operators, counts of refusals, or counts of failed logins and codes. With `format=csv` the reply is a table, and the header `X-Next-Cursor` has the cursor of the next page.',
  query: Type.Object({
    ...page,
    rows: Type.Optional(
      Type.Enum(['calls', 'events', 'acts', 'refusals', 'failed_attempts'], {
        description:
          'calls and events, events without calls (of one account), acts of operators, counted refusals, or counted failed attempts',
        default: 'calls',
      }),
    ),
    order: Type.Optional(
      Type.Enum(['oldest', 'newest'], { description: 'which rows come first', default: 'oldest' }),
    ),
    from: Type.Optional(givenInstant('rows at or after this time')),
    to: Type.Optional(givenInstant('rows before this time')),
    account: Type.Optional(text('e-mail address or number of an account')),
    request_id: Type.Optional(
      Type.String({ description: 'rows of one request', minLength: 1, maxLength: REQUEST_ID_CHARACTERS }),
    ),
    format,
  }),
  output: Type.Object({
    items: Type.Array(auditRow, { description: 'rows with the columns of `quantd admin export-audit`' }),
    next_cursor: nextCursor,
  }),
  failures: ['not_found'],
  example: { output: { items: [EXAMPLE_ROW], next_cursor: null } },
  csv: ({ items }) => [AUDIT_COLUMNS.map(([name]) => name), ...items.map(cells)].map(csvRow).join(''),
  async handle(context, { query }) {
    const { account, cursor, from, limit = 50, order, request_id, rows = 'calls', to } = query
    if (rows === 'events' && account === undefined) throw eventsOfNoAccount()
    const accountId = account === undefined ? null : await numberOf(context, account)
    const range: AuditRange = {
      from: from === undefined ? 0 : Date.parse(from),
      to: to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
      accountId,
      requestId: request_id ?? null,
      newestFirst: order === 'newest',
    }
    const { place, read, ...only } = KINDS[rows]
    const after = afterIn(cursor, place)
    const linesIn = (span: AuditRange) => context.store.run(read as Pages, { ...span, ...only, limit, after })
    const within = withinRequest(range)
    const near = await linesIn(within)
    // A caller may have chosen the id, so the time in it may be wrong.
    const lines = near.length === 0 && within !== range ? await linesIn(range) : near
    return {
      items: lines.map(auditJson),
      next_cursor: cursorAfter(lines, limit, (last) => cursorOf<Place>(place, last as never)),
    }
  },
})

const cells = (item: object): CsvValue[] =>
  AUDIT_COLUMNS.map(([name]) => {
    const value = (item as Record<string, unknown>)[name]
    return value !== null && typeof value === 'object' ? JSON.stringify(value) : (value as CsvValue)
  })

type Pages = (
  sql: Sql,
  page: AuditRange & { readonly limit: number; readonly after: object | null },
) => Transaction<AuditLine[]>

/** The range around the time in a request id of the service, where its rows are searched first. */
function withinRequest(range: AuditRange): AuditRange {
  const at = range.requestId === null ? null : timeOfId(range.requestId)
  if (at === null) return range
  const [from, to] = [at - CLOCK_DIFFERENCE_MS, at + CLOCK_DIFFERENCE_MS]
  return { ...range, from: Math.max(from, range.from), to: Math.min(to, range.to) }
}

/** The number of the account that a request names. A number is taken as it is, because the account may be deleted. */
const numberOf = async (context: Parameters<typeof found>[0], account: string): Promise<number> =>
  ACCOUNT_NUMBER.test(account) ? Number(account) : (await found(context, account)).accountId

/** The column that orders failed attempts, and that their lines hold in `detail`. */
const SUBJECT = { subject: 'string' } as const

/** The place in a cursor; null: the first page. Throws Failure `invalid_input`. */
function afterIn(cursor: string | undefined, place: Place): object | null {
  const after = placeAfter(cursor, place)
  if (after?.detail === undefined) return after
  const detail = parsedJson(String(after.detail)) as { subject?: unknown } | null | undefined
  if (!isPlace(SUBJECT, [detail?.subject])) throw cursorRefused()
  return after
}

export const auditEndpoints = [exportAudit]
