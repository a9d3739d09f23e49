/** Hostile and malformed messages to /mcp: refused like other requests, with nothing computed unpaid. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchange, openClient } from '../../support/edge.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { useService } from '../../support/people.ts'
import { type Answer, closedAfter, startTestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await useService()

const port = Number(new URL(service.url).port)
const ACCEPT = { accept: 'application/json, text/event-stream' }

const post = (key: string, message: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  service.call('/mcp', { key, body: message, headers: { ...ACCEPT, ...headers } })

const toolCall = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'economics_utility_log', arguments: { wealth: 1 } },
})

async function creditsOf(key: string): Promise<number> {
  return (await service.call('/user/profile', { key })).body.data.credits
}

async function callsOf(key: string): Promise<number> {
  const { by_endpoint } = (await service.call('/user/usage/summary', { key })).body.data
  return by_endpoint.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)
}

test('without a valid key a message is refused before it is read', async () => {
  for (const [line, code] of [
    ['', 'api_key_missing'],
    ['X-API-Key: qd_guest_no\r\n', 'api_key_invalid'],
    ['Authorization: Bearer no\r\n', 'api_key_invalid'],
  ]) {
    const reply = await exchange(
      port,
      `POST /mcp HTTP/1.1\r\nHost: x\r\n${line}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`,
    )
    assert.match(reply, /^HTTP\/1\.1 401 /)
    assert.match(reply, new RegExp(`"code":"${code}"`))
  }
})

test('a message over 128 KiB, of another media type, or that is no JSON is refused', async () => {
  const key = await service.guest()
  const large = await service.call('/mcp', { key, raw: `"${'x'.repeat(128 * 1024)}"`, headers: ACCEPT })
  assert.deepEqual([large.status, large.body.error.code], [413, 'body_too_large'])
  const text = await service.call('/mcp', {
    key,
    raw: '{}',
    headers: { ...ACCEPT, 'content-type': 'text/plain' },
  })
  assert.equal(text.status, 415)
  for (const raw of ['{"jsonrpc":', '['.repeat(10_000), '{"a":\u0000}', '\ufffd{']) {
    const reply = await service.call('/mcp', { key, raw, headers: ACCEPT })
    assert.deepEqual([reply.status, reply.body.error.code], [400, -32700], raw.slice(0, 20))
  }
  const empty = await service.call('/mcp', { key, method: 'POST', headers: ACCEPT })
  assert.equal(empty.status, 400)
  assert.equal(await callsOf(key), 0)
})

test('messages that are compressed, in another charset, or longer than their limit without saying so, are refused', async () => {
  const key = await service.guest()
  const raw = JSON.stringify(toolCall(1))
  for (const headers of [
    { 'content-encoding': 'gzip' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/vnd.apache.arrow.stream' },
    { 'content-type': '' },
  ])
    assert.equal((await service.call('/mcp', { key, raw, headers: { ...ACCEPT, ...headers } })).status, 415)
  const reply = await exchange(
    port,
    `POST /mcp HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
      `400\r\n${' '.repeat(1_024)}\r\n`.repeat(200),
  )
  assert.match(reply, /^HTTP\/1\.1 413 /)
  assert.deepEqual([await callsOf(key), await creditsOf(key)], [0, 50])
})

test('malformed messages are refused by the protocol, and neither counted nor computed', async () => {
  const key = await service.guest()
  const messages: unknown[] = [
    null,
    1,
    'tools/call',
    {},
    [toolCall(1), toolCall(2)],
    Array.from({ length: 1_000 }, (_, id) => toolCall(id)),
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: {}, method: 'tools/call' },
    { ...toolCall(1), params: null },
    { ...toolCall(1), params: [1] },
    { ...toolCall(1), params: { name: 5 } },
    { ...toolCall(1), params: { name: '__proto__', arguments: {} } },
    { ...toolCall(1), params: { name: 'x'.repeat(100_000), arguments: {} } },
    { ...toolCall(1), params: { name: 'economics_utility_log', arguments: 'wealth' } },
    { ...toolCall(1), params: { name: 'economics_utility_log', arguments: [1] } },
    { jsonrpc: '2.0', method: 'tools/call', params: toolCall(1).params },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} },
    { jsonrpc: '2.0', id: 1, method: 'no/such/method' },
  ]
  for (const message of messages) {
    const reply = await post(key, message)
    const shown = `${JSON.stringify(message).slice(0, 80)} → ${reply.status} ${reply.text.slice(0, 80)}`
    assert.ok(reply.status < 500, shown)
    assert.ok(reply.status !== 200 || reply.body.error !== undefined || reply.body.result?.isError, shown)
  }
  assert.deepEqual([await callsOf(key), await creditsOf(key)], [0, 50])
})

test('deep nesting anywhere in a message is refused, and the service goes on', async () => {
  const key = await service.guest()
  const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  const places = (value: string) => [
    value,
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${value}}`,
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":${value}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"economics_utility_log","arguments":{"wealth":${value}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quote","arguments":{"tool":${value}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quote","arguments":{"tool":"economics_utility_log","arguments":${value}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"columns","arguments":{"tool":"economics_utility_log","columns":${value}}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"account","_meta":${value}}}`,
  ]
  for (const depth of [20, 60_000])
    for (const raw of places(deep(depth))) {
      const reply = await service.call('/mcp', { key, raw, headers: ACCEPT })
      const shown = `${depth} ${raw.slice(0, 120)} → ${reply.status} ${reply.text.slice(0, 120)}`
      assert.ok(reply.status < 500, shown)
      assert.ok(!reply.text.includes('internal'), shown)
    }
  assert.equal(await creditsOf(key), 50)
})

test('subscriptions of the newer revision are refused and hold no connection', async () => {
  const key = await service.guest()
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const reply = await post(key, message, headers)
  assert.equal(reply.body.error.code, -32_601)
})

test('a header that names another tool than the body is refused uncharged', async () => {
  const key = await service.guest()
  const { params, ...message } = toolCall(1)
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'account' }
  const reply = await post(key, { ...message, params: { ...params, _meta } }, headers)
  assert.equal(reply.status, 400)
  assert.equal(await callsOf(key), 0)
})

test('pages of other origins, and other methods, are refused', async () => {
  const key = await service.guest()
  for (const origin of ['http://evil.example', 'null', 'http://localhost.evil.example'])
    assert.equal((await post(key, toolCall(1), { origin })).status, 403, origin)
  assert.equal((await post(key, toolCall(1), { origin: 'http://localhost:3000' })).status, 200)
  for (const method of ['GET', 'DELETE'])
    assert.equal((await service.call('/mcp', { key, method, headers: ACCEPT })).status, 405)
})

test('a large message of an account without credits is refused before it is received', async () => {
  const key = await service.guest()
  const calls = Array.from({ length: 50 }, () => ({
    path: '/quantlib/economics/utility/log',
    body: { wealth: 1 },
  }))
  await service.call('/quantlib/batch', { key, body: { calls } })
  const reply = await exchange(
    port,
    `POST /mcp HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
  )
  assert.match(reply, /^HTTP\/1\.1 402 /)
})

test('an account that does not read its replies is refused, and others are served', async () => {
  const own = closedAfter(await startTestService({}, { limits: { perAccount: 100_000 } }))
  const created = await operator(settingsOf(own))([
    ...['admin', 'create', 'ada@example.org', '--tier', 'pro', '--credits', '1000000', '--json'],
  ])
  const key: string = created.json.api_key
  const other = await own.guest()
  const ping = (apiKey: string) =>
    own.call('/mcp', { key: apiKey, body: { jsonrpc: '2.0', id: 1, method: 'ping' }, headers: ACCEPT })
  const calls = Array.from({ length: 900 }, () => ({
    path: '/quantlib/economics/utility/log',
    body: { wealth: 1 },
  }))
  const message = JSON.stringify({ ...toolCall(1), params: { name: 'batch', arguments: { calls } } })
  const { socket } = await openClient(Number(new URL(own.url).port))
  const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nAccept: ${ACCEPT.accept}\r\nContent-Type: application/json\r\n`
  socket.pause()
  // Until the replies are more than the system buffers.
  const isRefused = async () => {
    socket.write(`${head}Content-Length: ${message.length}\r\n\r\n${message}`)
    return (await ping(key)).status === 503
  }
  await until(isRefused, 'the account is refused')
  assert.equal((await ping(other)).status, 200)
  socket.resume()
  await until(async () => (await ping(key)).status === 200, 'the account is served again')
  socket.destroy()
})
