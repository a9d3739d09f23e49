/** The receipt of a computation: a file of its own that proves what was computed, charged and recorded. */
import { noReceipt, noSuchCall, receiptNotReady } from '../base/errors/accounts.ts'
import { Type } from '../base/type.ts'
import { accountEndpoint } from './account-endpoint.ts'
import { listOf, nullable, text, whole } from './field-schemas.ts'
import { usagePage } from './usage-pages.ts'

const hex = (description: string) => text(`${description}, hexadecimal`)
const hashes = (description: string) => listOf(Type.String(), description)

const leaf = Type.Object({
  account: whole('number of the account'),
  address: hex('salted digest of the client address'),
  at: whole('when, in epoch milliseconds'),
  calls: whole('computations in it'),
  code: nullable(Type.String(), 'failure code'),
  content: nullable(Type.String(), 'digest of the request and of the result, hexadecimal'),
  credits: whole('credits charged'),
  detail: nullable(Type.String(), 'of a batch: calls and credits by path, as JSON'),
  duration_ms: whole('duration in milliseconds'),
  id: text('id of the audit row'),
  key: nullable(Type.Integer(), 'number of the API key'),
  kind: text('computation'),
  method: text('HTTP method'),
  path: text('path of the endpoint'),
  replayed: Type.Boolean({ description: 'whether an idempotency key repeated it' }),
  request_id: text('X-Request-Id of the reply'),
  status: whole('HTTP status of the reply'),
  version: text('version of the service'),
})

const group = Type.Object({
  at: whole('time of its rows, in epoch milliseconds'),
  leaves: whole('rows in it'),
  number: whole('its place in the stream, from 1'),
  previous: hex('link of the group before it'),
  stream: whole('number of the stream'),
})

const checkpoint = Type.Object({
  at: whole('when, in epoch milliseconds'),
  clock: Type.Optional(
    whole("the database's clock, where it was behind `at`: the times of the rows are doubtful"),
  ),
  kept_from: whole('rows from before may have been deleted by retention'),
  key: text('id of the key that signs it'),
  next_key: Type.Optional(text('at a rotation: id of the key that signs the next one')),
  number: whole('its number, from 1'),
  previous: nullable(Type.String(), 'hash of the checkpoint before it, hexadecimal'),
  proven_from: whole('rows from before have no proof'),
  service: text('id of the database'),
  streams: listOf(
    Type.Object({
      first: whole('first group'),
      last: whole('last group'),
      head: hex('link of the last group'),
      root: hex('root of the tree of these groups'),
      stream: whole('number of the stream'),
    }),
    'the groups that it adds',
  ),
})

/** The file that proves a call. */
export const receiptFile = Type.Object({
  quantd_receipt: whole('version of the format: 1'),
  leaf,
  index: whole('place of the row in its group, from 0'),
  path: hashes('hashes from the row to the root of its group'),
  group,
  way: hashes('hashes from the group to the root in the checkpoint'),
  checkpoint,
  signatures: listOf(
    Type.Object({ key: text('id of the key'), signature: text('Ed25519, base64url') }),
    'of the checkpoint',
  ),
})

const zeros = '0'.repeat(64)

export const receipt = accountEndpoint({
  path: '/user/receipt',
  area: 'Credits and usage',
  title: 'Receipt',
  summary:
    'Returns the receipt of a computation: its audit row, and the proof that a signed checkpoint contains it. Keep the `data` as a file; with the keys of `/.well-known/quantd-keys.json` it can be checked without the service. Where several calls have the request id, the newest counts. A team key gets receipts of its own calls only. Open to guests.',
  key: 'any',
  teamKeys: true,
  query: Type.Object({
    request_id: Type.String({ description: 'X-Request-Id of the reply', minLength: 1, maxLength: 200 }),
  }),
  output: receiptFile,
  failures: ['invalid_input', 'not_found', 'conflict', 'unavailable'],
  example: {
    output: {
      quantd_receipt: 1,
      leaf: {
        account: 7,
        address: zeros,
        at: 1767268800000,
        calls: 1,
        code: null,
        content: zeros,
        credits: 1,
        detail: null,
        duration_ms: 2,
        id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
        key: 7,
        kind: 'computation',
        method: 'POST',
        path: '/quantlib/pricing/bs/price',
        replayed: false,
        request_id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
        status: 200,
        version: '0.1.0',
      },
      index: 0,
      path: [],
      group: { at: 1767268800000, leaves: 1, number: 1, previous: zeros, stream: 1 },
      way: [],
      checkpoint: {
        at: 1767268801000,
        kept_from: 0,
        key: '0123456789abcdef',
        number: 1,
        previous: null,
        proven_from: 0,
        service: '5c6a7f0e-3d0c-4f0e-9d4a-6f6f2b1a0c3d',
        streams: [{ first: 1, last: 1, head: zeros, root: zeros, stream: 1 }],
      },
      signatures: [{ key: '0123456789abcdef', signature: 'AA' }],
    },
  },
  async handle({ receiptOf, store }, { caller, query }) {
    const { accountId, team } = caller
    const filter = { requestId: query.request_id, ...(team !== null && { teamKeyId: team.id }) }
    const { items } = await usagePage(store, { accountId, limit: 1, before: null, filter })
    const [item] = items
    if (item === undefined) throw noSuchCall()
    const found = await receiptOf(item)
    if (found === 'unproven') throw noReceipt()
    if (found === 'waiting') throw receiptNotReady()
    return found as never
  },
})
