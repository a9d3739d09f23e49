/** Messages that compute nothing: 120 a minute and account, together with requests to account endpoints. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_REQUESTS } from '../../../src/base/limits/callers.ts'
import { MINUTE_MS } from '../../../src/base/time.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { times, useService } from '../../support/people.ts'
import { closedAfter, startTestService } from '../../support/service.ts'

const service = await useService()

const LOG = 'economics_utility_log'
const ACCEPT = { accept: 'application/json, text/event-stream' }

const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
const call = (name: string, given: object) => request('tools/call', { name, arguments: given })
const send = (key: string, body: unknown) => service.call('/mcp', { key, body, headers: ACCEPT })

/** Side by side, so that they end within the minute on a busy machine too. */
const pings = (key: string, count: number) => times(count, () => send(key, request('ping')))

/** Messages that compute nothing, by what they are. */
const FREE: Readonly<Record<string, unknown>> = {
  'a ping': request('ping'),
  'the list of tools': request('tools/list'),
  'a handshake': request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }),
  'a notification': { jsonrpc: '2.0', method: 'notifications/initialized' },
  'a quote': call('quote', { tool: LOG, arguments: { wealth: 1 } }),
  'the account': call('account', {}),
  'a tool that does not exist': call('no', {}),
  'columns of none': call('columns', { tool: 'no' }),
  'a method that does not exist': request('resources/list'),
  'an object that is no message': {},
  'a batch of messages': [request('ping')],
  'a wrong type': request('tools/call', { name: {} }),
  'a message that is too long': request('ping', { _meta: { x: 'x'.repeat(10_000) } }),
}

test('each message that computes nothing counts once, and the 121st within a minute is refused', async () => {
  const key = await service.guest()
  for (const { status } of await pings(key, MINUTE_REQUESTS - Object.keys(FREE).length))
    assert.equal(status, 200)
  for (const [what, message] of Object.entries(FREE))
    assert.notEqual((await send(key, message)).status, 429, what)
  for (const [what, message] of Object.entries(FREE)) {
    const { headers, status, text } = await send(key, message)
    // A result, since the account is asked by a request of its own.
    if (what === 'the account') assert.match(text, /"code":"rate_limited"/)
    else {
      assert.equal(status, 429, `${what}: ${text}`)
      const wait = Number(headers.get('retry-after'))
      assert.ok(wait >= 1 && wait <= 60, `${what}: ${wait}`)
    }
  }
  const { body } = await send(key, FREE['a quote'])
  assert.equal(body.id, 7)
  assert.equal(body.error.code, -32_000)
  assert.equal(body.error.data.code, 'rate_limited')
  assert.match(
    body.error.message,
    /^The limit of 120 account requests a minute is used up; try again in \d+ s\.$/,
  )
  assert.equal((await service.call('/user/profile', { key })).status, 429)
})

test('tool calls that compute count in the rate windows, and go on where the 120 are used up', async () => {
  const key = await service.guest()
  await pings(key, MINUTE_REQUESTS)
  assert.equal((await send(key, request('ping'))).status, 429)
  const reply = await send(key, call(LOG, { wealth: 1 }))
  const { charged, windows } = reply.body.result._meta['quantd/standing']
  assert.deepEqual([charged, windows[0].remaining], [1, 59])
  const escaped = JSON.stringify(call(LOG, { wealth: 1 })).replace('tools/call', 'tools\\/call')
  const again = await service.call('/mcp', { key, raw: escaped, headers: ACCEPT })
  assert.equal(again.body.result.structuredContent.utility, 0)
})

test('more than 120 tool calls that compute pass within a minute', async () => {
  const created = await operator(settingsOf(service))([
    ...['admin', 'create', 'ada@example.org', '--tier', 'pro', '--credits', '1000', '--json'],
  ])
  const key: string = created.json.api_key
  for (let sent = 0; sent < MINUTE_REQUESTS + 5; sent++)
    assert.equal((await send(key, call(LOG, { wealth: 1 }))).body.result.isError, undefined)
  assert.equal((await send(key, request('ping'))).status, 200)
})

test('a refused account is served again in the next minute, and others meanwhile', async () => {
  const own = closedAfter(await startTestService())
  const [key, other] = [await own.guest(), await own.guest()]
  const ping = (apiKey: string) => own.call('/mcp', { key: apiKey, body: request('ping'), headers: ACCEPT })
  await times(MINUTE_REQUESTS, () => ping(key))
  assert.equal((await ping(key)).status, 429)
  assert.equal((await ping(other)).status, 200)
  own.advance(MINUTE_MS)
  // Messages that name a tool call are parsed, and the ledger is asked again.
  const quote = call('quote', { tool: LOG, arguments: { wealth: 1 } })
  assert.equal((await own.call('/mcp', { key, body: quote, headers: ACCEPT })).status, 200)
  assert.equal((await ping(key)).status, 200)
})

test('a message of the newer revision is refused before its body arrives', async () => {
  const key = await service.guest()
  await pings(key, MINUTE_REQUESTS + 1)
  const { body, status } = await service.call('/mcp', {
    key,
    raw: 'no JSON',
    headers: { ...ACCEPT, 'mcp-method': 'ping' },
  })
  assert.deepEqual([status, body.error.code], [429, -32_000])
})
