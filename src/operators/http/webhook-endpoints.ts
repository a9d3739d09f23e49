/** Endpoints that receive events: they are listed, created, tested and deleted, and events are sent to them again. */
import { givenInstant, nullable, PRINTABLE, rowNumber, text, whole } from '../../accounts/field-schemas.ts'
import { eventsOrSpan, noSuchEndpoint } from '../../base/errors/operator.ts'
import { WEBHOOK_MS, WEBHOOK_REPLAYED_IDS, WEBHOOK_URL_CHARACTERS } from '../../base/limits/operation.ts'
import { plural } from '../../base/text.ts'
import { isoTime, SECOND_MS } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { EVENT_NAMES, EVENT_TYPES } from '../../ledger/event-types.ts'
import { type DeliveryState, deliveryPage, endpoints, type ListedDelivery } from '../webhooks/deliveries.ts'
import { messageId, messageOf } from '../webhooks/sender.ts'
import {
  addEndpoint,
  deleteEndpoint,
  listEndpoints,
  newEndpoint,
  numbersOf,
  replay,
  testEndpoint,
} from '../webhooks.ts'
import { operatorEndpoint } from './endpoint.ts'
import { idIn, nextCursor, orNull, page, reason } from './field-schemas.ts'

const id = rowNumber('number of the endpoint')
const types = Type.Array(
  Type.Enum([...EVENT_NAMES], {
    'x-enumDescriptions': Object.fromEntries(EVENT_NAMES.map((name) => [name, EVENT_TYPES[name].when])),
  }),
  { description: 'types of events; absent: all', minItems: 1 },
)
const shownTypes = nullable(Type.Array(Type.String()), 'types of events that it receives; null: all')
const URL_EXAMPLE = 'https://example.org/quantd'

const list = operatorEndpoint({
  verb: 'webhook list',
  role: 'admin',
  path: '/operator/v1/webhooks',
  title: 'Endpoints of webhooks',
  summary: 'Lists the endpoints, with the events that wait and those that were given up.',
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id,
        url: text('where events are sent'),
        types: shownTypes,
        waiting: whole('events that are to be sent'),
        parked: whole('events that were given up'),
      }),
    ),
  }),
  command: {
    examples: [['webhook list', 'all endpoints']],
    line: ({ id, parked, types, url, waiting }) => [
      id,
      url,
      types?.join() ?? 'all types',
      `${waiting} waiting, ${parked} parked`,
    ],
  },
  example: {
    output: { items: [{ id: 1, url: URL_EXAMPLE, types: null, waiting: 0, parked: 0 }] },
  },
  handle: async ({ store }) => ({ items: await store.run(listEndpoints) }),
})

const deliveries = operatorEndpoint({
  verb: 'webhook deliveries',
  role: 'admin',
  path: '/operator/v1/webhooks/deliveries',
  title: 'Deliveries of an endpoint',
  summary:
    'Lists the events that were queued for an endpoint, the newest first: when each was sent, how often it was tried and the status of the last reply. Events are kept for some days. With `payload` each has the message as it is sent.',
  query: Type.Object({
    id,
    state: Type.Optional(
      Type.Enum(['waiting', 'delivered', 'parked'], {
        description: 'only those that wait, that were delivered, or that were given up',
      }),
    ),
    payload: Type.Optional(Type.Boolean({ description: 'whether each has its message' })),
    ...page,
  }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id: text('webhook-id of the message'),
        type: text('type of the event'),
        account_id: nullable(Type.Integer(), 'number of the account; null: the event is about the service'),
        at: text('when the event happened'),
        state: Type.Enum(['waiting', 'delivered', 'parked'], { description: 'parked: it was given up' }),
        tries: whole('tries so far'),
        status: nullable(Type.Integer(), 'status of the last reply; null: none came'),
        next_at: orNull('when it is tried next; null: not any more'),
        delivered_at: orNull('when it was delivered; null: not yet'),
        payload: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'the message' })),
      }),
    ),
    next_cursor: nextCursor,
  }),
  failures: ['not_found'],
  command: {
    examples: [
      ['webhook deliveries 1 --state parked', 'the events that endpoint 1 did not accept'],
      ['webhook deliveries 1 --payload --json', 'with the messages, for a program'],
    ],
    words: ['id'],
    line: ({ at, id, state, status, tries, type }) => [
      ...[id, at, type, state],
      `${tries === 1 ? '1 try' : `${tries} tries`}${status === null ? '' : `, status ${status}`}`,
    ],
  },
  example: {
    output: {
      items: [
        {
          id: 'evt_17_1767225600000',
          type: 'credits.low',
          account_id: 17,
          at: '2026-01-01T00:00:00.000Z',
          state: 'waiting' as const,
          tries: 2,
          status: 503,
          next_at: '2026-01-01T00:00:06.000Z',
          delivered_at: null,
        },
      ],
      next_cursor: null,
    },
  },
  async handle({ reads }, { query: { cursor, id: endpointId, limit = 50, payload = false, state } }) {
    if (!(await reads.run(endpoints)).some((one) => one.id === endpointId)) throw noSuchEndpoint(endpointId)
    const { items, next } = await reads.run(deliveryPage, { endpointId, state, before: idIn(cursor), limit })
    return {
      items: items.map((one) => ({
        id: messageId(one),
        type: one.type,
        account_id: one.accountId > 0 ? one.accountId : null,
        at: isoTime(one.at),
        state: stateOf(one),
        tries: one.tries,
        status: one.status,
        next_at: isoTime(one.nextAt),
        delivered_at: isoTime(one.deliveredAt),
        ...(payload && { payload: messageOf(one) }),
      })),
      next_cursor: next === null ? null : String(next),
    }
  },
})

const stateOf = ({ deliveredAt, parkedAt }: ListedDelivery): DeliveryState =>
  deliveredAt !== null ? 'delivered' : parkedAt !== null ? 'parked' : 'waiting'

const create = operatorEndpoint({
  verb: 'webhook create',
  role: 'admin',
  path: '/operator/v1/webhooks/create',
  secrets: ['secret', 'public_key'],
  title: 'Create an endpoint',
  summary:
    'Creates an endpoint, which receives all later events. Returns its secret and its public key, which are shown only now.',
  input: Type.Object({
    url: Type.String({
      description: 'an https:// address',
      pattern: PRINTABLE,
      maxLength: WEBHOOK_URL_CHARACTERS,
    }),
    types: Type.Optional(types),
    reason,
  }),
  output: Type.Object({
    id,
    url: text('where events are sent'),
    types: shownTypes,
    secret: text('verifies signatures v1'),
    public_key: text('verifies signatures v1a'),
  }),
  command: {
    examples: [
      ['webhook create https://example.org/quantd', 'sends all later events there'],
      [
        'webhook create https://example.org/quantd --types credits.low,credits.exhausted',
        'sends these types',
      ],
    ],
    needs: 'secrets',
  },
  said: ({ id, types, url }) =>
    `Created endpoint ${id}: ${url} gets ${types === null ? 'all events' : types.join(', ')}.`,
  undo: ({ id }) => ({ path: '/operator/v1/webhooks/delete', body: { id } }),
  example: {
    input: { url: URL_EXAMPLE },
    output: {
      id: 1,
      url: URL_EXAMPLE,
      types: null,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      public_key: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    },
  },
  async handle(context, { event, input }) {
    const { keys, stored } = newEndpoint(context, input)
    const made = await context.store.run(addEndpoint, { ...stored, event: event() })
    return {
      id: made,
      url: stored.url,
      types: input.types ?? null,
      secret: keys.secret,
      public_key: keys.publicKey,
    }
  },
})

const test = operatorEndpoint({
  verb: 'webhook test',
  role: 'admin',
  path: '/operator/v1/webhooks/test',
  title: 'Test an endpoint',
  summary: 'Sends one signed message of the type `test` now.',
  input: Type.Object({ id }),
  output: Type.Object({
    id,
    delivered: Type.Boolean({ description: 'whether the reply was 2xx' }),
    status: nullable(Type.Integer(), 'status of the reply; null: none came, or the address is not allowed'),
  }),
  failures: ['not_found'],
  command: {
    examples: [['webhook test 1', 'exits with 1 unless the reply is 2xx']],
    needs: 'secrets',
    fails: ({ delivered }) => !delivered,
  },
  said: ({ delivered, id, status }) =>
    status === null
      ? `Endpoint ${id} gave no answer within ${WEBHOOK_MS / SECOND_MS} s, or its address cannot be reached or is not public (see QUANTD_WEBHOOK_PRIVATE).`
      : `Endpoint ${id} answered ${status}${delivered ? '' : ', which is a refusal'}.`,
  example: { input: { id: 1 }, output: { id: 1, delivered: true, status: 200 } },
  async handle(context, { input }) {
    const status = await testEndpoint(context, input.id)
    return { id: input.id, delivered: status !== null && status >= 200 && status < 300, status }
  },
})

const replayEndpoint = operatorEndpoint({
  verb: 'webhook replay',
  role: 'admin',
  path: '/operator/v1/webhooks/replay',
  title: 'Send events again',
  summary: 'Sends events to an endpoint again: those with these ids, or those of a span of time.',
  input: Type.Object({
    id,
    events: Type.Optional(
      Type.Array(text('id of an event'), {
        description: 'webhook-id of each message',
        minItems: 1,
        maxItems: WEBHOOK_REPLAYED_IDS,
      }),
    ),
    from: Type.Optional(givenInstant('events since then', 'Since')),
    to: Type.Optional(givenInstant('events before then; by default all', 'Before')),
    reason,
  }),
  output: Type.Object({ id, events: whole('events that will be sent') }),
  failures: ['not_found'],
  command: {
    examples: [
      ['webhook replay 1 --event evt_17_1767225600000', 'one event; several are separated by commas'],
      ['webhook replay 1 --from 2026-11-01 --to 2026-11-02', 'the events of a day'],
    ],
    flags: { events: '--event' },
  },
  said: ({ events, id }) => `${plural(events, 'event')} will be sent to endpoint ${id} again.`,
  example: {
    input: { id: 1, from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
    output: { id: 1, events: 12 },
  },
  async handle(_, { act, event, input: { events: ids, from, id: endpoint, to } }) {
    if ((ids === undefined) === (from === undefined)) throw eventsOrSpan()
    const span = { from: Date.parse(from ?? ''), ...(to !== undefined && { to: Date.parse(to) }) }
    const which = ids === undefined ? span : { ids: numbersOf(ids) }
    return { id: endpoint, events: await act(replay, { id: endpoint, which, event: event() }) }
  },
})

const remove = operatorEndpoint({
  verb: 'webhook delete',
  role: 'admin',
  path: '/operator/v1/webhooks/delete',
  final: true,
  title: 'Delete an endpoint',
  summary: 'Deletes an endpoint, with the events that wait for it.',
  input: Type.Object({ id, reason }),
  output: Type.Object({ id, deleted: Type.Literal(true) }),
  failures: ['not_found'],
  command: {
    examples: [['webhook delete 1', 'by its number in the list']],
  },
  said: ({ id }) => `Deleted endpoint ${id}, and the events that waited for it.`,
  example: { input: { id: 1 }, output: { id: 1, deleted: true as const } },
  async handle(_, { act, event, input }) {
    await act(deleteEndpoint, { id: input.id, event: event() })
    return { id: input.id, deleted: true as const }
  },
})

export const webhookEndpoints = [list, deliveries, create, test, replayEndpoint, remove]
