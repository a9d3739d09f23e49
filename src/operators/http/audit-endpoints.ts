/** The audit, page by page: calls and events, counted refusals and failed attempts; and one call by its request id. */
import { ACCOUNT_NUMBER } from '../../accounts/account.ts'
import { givenInstant, nullable, text, whole } from '../../accounts/field-schemas.ts'
import { receiptFile } from '../../accounts/receipt.ts'
import { type CsvValue, csvRow } from '../../base/csv.ts'
import { eventsOfNoAccount, noCallWithId } from '../../base/errors/operator.ts'
import { cursorRefused } from '../../base/errors/requests.ts'
import { timeOfId } from '../../base/ids.ts'
import { CLOCK_DIFFERENCE_MS, REQUEST_ID_CHARACTERS } from '../../base/limits/operation.ts'
import { parsedJson, plural } from '../../base/text.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import type { FoundReceipt } from '../../ledger/receipts/receipt.ts'
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
import { type CallDetails, callDetails, callsWith } from '../calls.ts'
import { messageId } from '../webhooks/sender.ts'
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

const EXAMPLE_ROW = {
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

const show = operatorEndpoint({
  verb: 'call',
  role: 'viewer',
  path: '/operator/v1/calls/show',
  title: 'One call',
  summary:
    'Returns the newest call with a request id, or with the id of an audit row: its account and key, its cost, refund, events and receipt. `others` are further calls with the same id, and calls of the account with the same request and result within 24 hours.',
  query: Type.Object({
    request_id: Type.String({
      description: 'X-Request-Id of the reply, or the id of the row',
      minLength: 1,
      maxLength: REQUEST_ID_CHARACTERS,
    }),
  }),
  output: Type.Object({
    call: auditRow,
    account: nullable(
      Type.Object({
        account_id: whole('number of the account'),
        email: orNull('e-mail address; null for a guest'),
        account_type: text('account type, guest included'),
      }),
      'null: the call had none, or it was deleted',
    ),
    key: nullable(
      Type.Object({
        id: whole('number of the key'),
        start: orNull('its first characters'),
        status: text('active, suspended or revoked'),
        team_key_id: nullable(Type.Integer(), "id of the team key; null: the account's own key"),
        name: orNull('name of the team key'),
      }),
      'null: the call had none',
    ),
    refunded: whole('credits of the call that were given back'),
    idempotency: nullable(
      Type.Object({
        key: text('the Idempotency-Key'),
        expires_at: text('until when it repeats the result'),
        replays: whole('how often it was repeated'),
      }),
      'the key that is bound to the call or its repetitions; null: none is now',
    ),
    others: Type.Array(auditRow, { description: 'the newest first' }),
    events: Type.Array(
      Type.Object({
        id: text('webhook-id'),
        type: text('type of the event'),
        at: text('when'),
        data: Type.Record(Type.String(), Type.Unknown(), { description: 'data of the event' }),
      }),
      { description: 'events of the account that were written with the call' },
    ),
    receipt_state: Type.Enum(['proven', 'waiting', 'unproven'], {
      description:
        'proven: a signed checkpoint contains the call; waiting: the next one will; unproven: it has no receipt',
    }),
    receipt: nullable(receiptFile, 'the receipt; null: there is none yet'),
  }),
  failures: ['not_found'],
  command: {
    examples: [
      ['call 019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e', 'the request id that a customer reports'],
      ['call ticket-4711 --json', 'for a program'],
    ],
    text: ({ account, call, events, idempotency, key, others, receipt_state: receipt, refunded }) =>
      lines([
        ['call', `${call.method} ${call.path}, ${plural(call.calls, 'computation')}`],
        ['at', call.at],
        ['status', `${call.status} ${call.code ?? ''}, ${call.duration_ms} ms`],
        ['request id', call.request_id],
        ['row', call.id],
        ['account', account && `${account.account_id} ${account.email ?? account.account_type}`],
        ['key', key && `${key.start ?? key.id}… ${key.name ?? ''} ${key.status}`],
        ['cost', `${plural(call.credits, 'credit')}${call.replayed ? ', a repetition' : ''}`],
        ['refunded', refunded === 0 ? null : plural(refunded, 'credit')],
        ['idempotency', idempotency && `${idempotency.key}, repeated ${plural(idempotency.replays, 'time')}`],
        ['receipt', receipt],
        ...events.map(({ id, type }) => ['event', `${type} ${id}`] as const),
        ...others.map(
          (other) =>
            ['other', `${other.at} ${other.status} ${plural(other.credits, 'credit')} ${other.id}`] as const,
        ),
      ]),
  },
  example: {
    output: {
      call: EXAMPLE_ROW,
      account: { account_id: 17, email: 'ada@example.org', account_type: 'free' },
      key: { id: 21, start: 'qd_user_4fPq', status: 'active', team_key_id: null, name: null },
      refunded: 0,
      idempotency: null,
      others: [],
      events: [],
      receipt_state: 'waiting' as const,
      receipt: null,
    },
  },
  async handle({ reads }, { query }) {
    const [call, ...sameId] = await reads.run(callsWith, query.request_id)
    if (call === undefined) throw noCallWithId()
    const { account, alike, events, idempotency, key, receipt, refunded } = await reads.run(callDetails, call)
    const others = new Map([...sameId, ...alike].map((other) => [other.id, other]))
    return {
      call: auditJson(call),
      account: account && {
        account_id: account.accountId,
        email: account.email,
        account_type: account.tier,
      },
      key: key && keyJson(key),
      refunded,
      idempotency: idempotency && {
        key: idempotency.key,
        expires_at: isoTime(idempotency.expiresAt),
        replays: idempotency.replays,
      },
      others: [...others.values()].sort((a, b) => b.at - a.at).map(auditJson),
      events: events.map(({ at, data, id, type }) => ({
        id: messageId({ at, eventId: id }),
        type,
        at: isoTime(at),
        data: JSON.parse(data),
      })),
      receipt_state: stateOf(receipt),
      receipt: typeof receipt === 'string' ? null : (receipt as never),
    }
  },
})

const lines = (labelled: readonly (readonly [label: string, value: string | null])[]): string =>
  labelled
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${label.padEnd(12)} ${value!.replace(/ +/g, ' ').trim()}`)
    .join('\n')

const stateOf = (receipt: FoundReceipt): 'proven' | 'waiting' | 'unproven' =>
  typeof receipt === 'string' ? receipt : 'proven'

const keyJson = ({ team, ...key }: NonNullable<CallDetails['key']>) => ({
  ...key,
  team_key_id: team?.id ?? null,
  name: team?.name ?? null,
})

export const callEndpoints = [show]
