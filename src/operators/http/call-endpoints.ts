/** One call, by its request id: what it was, when, by which key, what it cost, its receipt and events, and other calls like it. */
import { nullable, text, whole } from '../../accounts/field-schemas.ts'
import { receiptFile } from '../../accounts/receipt.ts'
import { noCallWithId } from '../../base/errors/operator.ts'
import { REQUEST_ID_CHARACTERS } from '../../base/limits/operation.ts'
import { plural } from '../../base/text.ts'
import { isoTime } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import type { FoundReceipt } from '../../ledger/receipts/receipt.ts'
import { auditJson } from '../../ledger/store/audit-pages.ts'
import { type CallDetails, callDetails, callsWith } from '../calls.ts'
import { messageId } from '../webhooks/sender.ts'
import { auditRow, EXAMPLE_ROW } from './audit-endpoints.ts'
import { operatorEndpoint } from './endpoint.ts'
import { orNull } from './field-schemas.ts'

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
