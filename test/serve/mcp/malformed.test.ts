/** Messages with a wrong type in any place: refused in fixed texts, never with those of the engine. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { internal } from '../../../src/base/errors/requests.ts'
import { receiver } from '../../../src/compute/body/receive.ts'
import { compileComputations } from '../../../src/compute/computations.ts'
import { eventLoopShares } from '../../../src/compute/threads/event-loop-shares.ts'
import { sources } from '../../../src/derive/sources.ts'
import { mcpEndpoint } from '../../../src/serve/mcp/endpoint.ts'
import { useService } from '../../support/people.ts'

const service = await useService()

const LOG = 'economics_utility_log'
const ACCEPT = { accept: 'application/json, text/event-stream' }
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
const call = (name: string, given: object, _meta: object = {}) =>
  request('tools/call', { name, arguments: given, _meta })

const quoted = { tool: LOG, arguments: { wealth: 1 } }
const columns = { tool: LOG, columns: { wealth: [1] } }
const KEYED = { 'quantd/idempotencyKey': 'k', progressToken: 1, other: 1 }

const MESSAGES: Readonly<Record<string, readonly object[]>> = {
  '2025-11-25': [
    call(LOG, { wealth: 1 }, KEYED),
    call('quote', quoted),
    call('quote', { tool: 'columns', arguments: columns }),
    call('columns', columns),
    call('account', {}),
    request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { sampling: {}, roots: { listChanged: true } },
      clientInfo: { name: 'test', version: '1' },
    }),
    request('tools/list', { cursor: 'x' }),
    request('ping', {}),
    request('resources/read', { uri: 'x' }),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'x' } },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  ],
  '2026-07-28': [
    call(LOG, { wealth: 1 }, { ...KEYED, ...MODERN }),
    request('server/discover', { _meta: MODERN }),
    request('tools/list', { _meta: MODERN }),
    request('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: MODERN }),
  ],
}

const WRONG: readonly unknown[] = [null, 5, 'x', [1], {}, { toString: 1, valueOf: 1 }]

/** Every value in which one inside of it was left out or replaced. */
function* altered(value: unknown): Generator<unknown> {
  yield* WRONG
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    const { [name]: _, ...others } = value as Record<string, unknown>
    yield others
    for (const other of altered(field)) yield { ...value, [name]: other }
  }
}

describe('a message with a value of a wrong type', () => {
  for (const [version, messages] of Object.entries(MESSAGES))
    test(`gets a fixed text, and no error of the service, in revision ${version}`, async () => {
      for (const message of messages) {
        const { method } = message as { method?: string }
        const headers = {
          ...ACCEPT,
          'mcp-protocol-version': version,
          ...(version === '2026-07-28' && method && { 'mcp-method': method, 'mcp-name': LOG }),
        }
        let key = ''
        let sent = 0
        for (const body of altered(message)) {
          if (sent++ % 40 === 0) key = await service.guest()
          const { body: reply, status, text } = await service.call('/mcp', { key, body, headers })
          const shown = `${JSON.stringify(body)} → ${status} ${text.slice(0, 200)}`
          assert.ok(status < 500 && status !== 429, shown)
          assert.notEqual(reply?.error?.code, -32_603, shown)
          assert.doesNotMatch(text, /TypeError|Cannot |is not a function|\[object|\\"expected\\"/, shown)
        }
      }
    })

  for (const [field, message] of [
    ['params._meta["quantd/idempotencyKey"]', call(LOG, { wealth: 1 }, { 'quantd/idempotencyKey': {} })],
    ['params.name', request('tools/call', { name: { toString: 1 }, arguments: {} })],
  ] as const)
    test(`is told that ${field} must be a string, and nothing is charged`, async () => {
      const key = await service.guest()
      const { body, status } = await service.call('/mcp', { key, body: message, headers: ACCEPT })
      assert.deepEqual(
        [status, body],
        [200, { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: `${field} must be a string.` } }],
      )
      assert.equal((await service.call('/user/profile', { key })).body.data.credits, 50)
    })

  test('is told so also in the tool that a quote or columns name', async () => {
    const key = await service.guest()
    for (const name of ['quote', 'columns'])
      for (const tool of [{ toString: 1 }, null, 5, ['account']]) {
        const message = call(name, { tool, arguments: {}, columns: {} })
        const { body } = await service.call('/mcp', { key, body: message, headers: ACCEPT })
        assert.equal(body.result.content[0].text, 'tool must be the name of a computation.')
      }
  })
})

test('a fault behind a tool is told in a fixed text, reported, and counted as internal', async () => {
  const faults: unknown[] = []
  const fault = new TypeError('engine text')
  const unused = (): never => assert.fail('not used')
  const endpoint = mcpEndpoint({
    sources,
    corsOrigins: [],
    handlers: sources.endpoints.map((endpoint) => ({ endpoint })),
    computations: () => compileComputations()({}),
    authenticate: async () => ({ accountId: 1, keyId: 1, tier: 'guest' }),
    receiver: receiver(1_000_000),
    eventLoop: eventLoopShares(2),
    meter: { enter: () => Promise.reject(fault) },
    pool: unused,
    store: unused,
    ipLimits: false,
    closed: new Map(),
    refuseUnpaid: () => null,
    recentlyRefused: new Set(),
    onInternalError: (error: unknown) => faults.push(error),
  } as never)
  const body = Buffer.from(JSON.stringify(call('quote', quoted)))
  const replyRoom = { take: () => undefined, refusal: () => null, afterwards: (run: () => void) => run() }
  const headers = { ...ACCEPT, 'content-type': 'application/json', 'x-api-key': 'k' }
  const reply = await endpoint({ headers, body, replyRoom, requestId: 'r' } as never)
  assert.deepEqual(JSON.parse(reply.body).error, { code: -32_603, message: internal(null).message })
  assert.deepEqual([reply.code, faults], ['internal', [fault]])
})
