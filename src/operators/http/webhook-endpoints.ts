/** Endpoints that receive events: they are listed, created, tested and deleted, and events are sent to them again. */
import { givenInstant, nullable, PRINTABLE, rowNumber, text, whole } from '../../accounts/field-schemas.ts'
import { eventsOrSpan } from '../../base/errors/operator.ts'
import { WEBHOOK_MS, WEBHOOK_REPLAYED_IDS, WEBHOOK_URL_CHARACTERS } from '../../base/limits/operation.ts'
import { plural } from '../../base/text.ts'
import { SECOND_MS } from '../../base/time.ts'
import { Type } from '../../base/type.ts'
import { EVENT_NAMES } from '../../ledger/event-types.ts'
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
import { reason } from './field-schemas.ts'

const id = rowNumber('number of the endpoint')
const types = Type.Array(Type.Enum([...EVENT_NAMES]), { description: 'types of events', minItems: 1 })
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
    text: ({ id, public_key, secret }) =>
      `Created endpoint ${id}.\nSecret (v1)       ${secret}\nPublic key (v1a)  ${public_key}`,
  },
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
    text: ({ id, status }) =>
      status === null
        ? `Endpoint ${id} gave no answer within ${WEBHOOK_MS / SECOND_MS} s, or its address cannot be reached or is not public (see QUANTD_WEBHOOK_PRIVATE).`
        : `Endpoint ${id} answered ${status}.`,
    fails: ({ delivered }) => !delivered,
  },
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
    from: Type.Optional(givenInstant('events since then')),
    to: Type.Optional(givenInstant('events before then; by default all')),
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
    text: ({ events, id }) => `Endpoint ${id}: ${plural(events, 'event')} will be sent again.`,
  },
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
    text: ({ id }) => `Endpoint ${id} is deleted.`,
  },
  example: { input: { id: 1 }, output: { id: 1, deleted: true as const } },
  async handle(_, { act, event, input }) {
    await act(deleteEndpoint, { id: input.id, event: event() })
    return { id: input.id, deleted: true as const }
  },
})

export const webhookEndpoints = [list, create, test, replayEndpoint, remove]
