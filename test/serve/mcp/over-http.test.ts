/** MCP as HTTP clients and web pages send it: their Accept header, their origin, their version, their nulls. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closedAfter, startTestService } from '../../support/service.ts'

const ALLOWED = 'https://app.example.org'
const BOTH = { accept: 'application/json, text/event-stream' }
const MODERN = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}
const OPTION = { spot: 100, strike: 105, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 }

const service = closedAfter(await startTestService({ QUANTD_CORS_ORIGINS: ALLOWED }))
const key = await service.guest()

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const initialize = (protocolVersion: string) =>
  message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })
const call = (name: string, given: unknown) => message('tools/call', { name, arguments: given })
const post = (body: object, headers: Record<string, string> = BOTH) =>
  service.call('/mcp', { key, body, headers })

describe('a client that accepts JSON', () => {
  for (const accept of ['*/*', 'application/json', 'application/*;q=0.5', 'text/html, application/json'])
    test(`by ${accept} gets JSON`, async () => {
      for (const body of [
        initialize('2025-11-25'),
        message('tools/list'),
        call('pricing_bs_price', OPTION),
        call('account', {}),
      ]) {
        const { body: reply, headers, status } = await post(body, { accept })
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'], body.method)
        assert.ok(reply.result, body.method)
      }
    })

  test('without an Accept header, as HTTP has it, gets JSON in the newer revision, too', async () => {
    const headers = { accept: '*/*', 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' }
    const { body, status } = await post(message('tools/list', { _meta: ENVELOPE }), headers)
    assert.deepEqual([status, body.result.tools.length > 20], [200, true])
  })

  test('gets a list of tools of at most 20,000 bytes in each revision', async () => {
    const accept = 'application/json'
    const modern = { accept, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' }
    const lists = [
      await post(message('tools/list'), { accept }),
      await post(message('tools/list', { _meta: ENVELOPE }), modern),
    ]
    for (const { status, text } of lists) {
      assert.equal(status, 200)
      assert.ok(Buffer.byteLength(text) <= 20_000, `${Buffer.byteLength(text)} bytes`)
    }
  })

  test('by a list that excludes JSON is told what to accept', async () => {
    for (const accept of ['text/html', 'text/event-stream', 'application/json;q=0'])
      assert.equal((await post(message('tools/list'), { accept })).status, 406, accept)
  })
})

describe('a page', () => {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' }
  const preflight = (path: string, origin: string) =>
    service.call(path, { method: 'OPTIONS', headers: { origin, ...asked } })

  test('of an allowed origin, or of this machine, may send messages and read the replies', async () => {
    for (const origin of [ALLOWED, 'http://localhost:6274', 'http://127.0.0.1:5173', 'http://[::1]:8000']) {
      const { headers, status } = await preflight('/mcp', origin)
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, origin])
      assert.match(headers.get('access-control-allow-headers')!, /Authorization.*Mcp-Protocol-Version/)
      const listed = await post(message('tools/list'), { ...BOTH, origin })
      assert.deepEqual([listed.status, listed.headers.get('access-control-allow-origin')], [200, origin])
    }
  })

  test('of another origin may do neither, and one of this machine may call nothing else', async () => {
    for (const [path, origin] of [
      ['/mcp', 'https://evil.example'],
      ['/mcp', 'http://localhost.evil.example'],
      ['/quantlib/pricing/bs/price', 'http://localhost:6274'],
    ] as const) {
      const { headers, status } = await preflight(path, origin)
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [405, null], origin)
    }
    const refused = await post(message('tools/list'), { ...BOTH, origin: 'https://evil.example' })
    assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [403, null])
  })
})

test('initialize with a version that the service does not know is answered with one that it does', async () => {
  for (const version of ['2027-01-01', MODERN])
    for (const headers of [BOTH, { ...BOTH, 'mcp-protocol-version': version }]) {
      const { body, status } = await post(initialize(version), headers)
      assert.deepEqual([status, body.result?.protocolVersion], [200, '2025-11-25'], version)
    }
})

test('initialize is unknown in a revision that names itself in each message', async () => {
  const named = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const { body, status } = await post(message('initialize', { _meta: named }), {
    ...BOTH,
    'mcp-protocol-version': MODERN,
    'mcp-method': 'initialize',
  })
  assert.deepEqual([status, body.error.code], [404, -32_601])
})

test('a cursor that the service has not given is an error', async () => {
  const { body } = await post(message('tools/list', { cursor: 'junk' }))
  assert.deepEqual(body.error, {
    code: -32_602,
    message: 'The list of tools has one page: leave cursor out.',
  })
})

describe('an argument that is null', () => {
  const textOf = ({ body }: Awaited<ReturnType<typeof post>>) => body.result.content[0].text

  test('counts as absent where it is optional, also in a list', async () => {
    const plain = textOf(await post(call('pricing_bs_price', OPTION)))
    const given = { ...OPTION, dividend_yield: null, option_type: null }
    assert.equal(textOf(await post(call('pricing_bs_price', given))), plain)
    const quotes = [90, 100, 110].map((K) => ({ K, T: 1, price: null, implied_volatility: 0.2 + K / 1e4 }))
    const fit = await post(call('models_variance_gamma_calibrate', { S: 100, r: 0, q: null, quotes }))
    assert.ok(JSON.parse(textOf(fit)).sigma > 0)
    const quote = await post(call('quote', { tool: 'pricing_bs_price', arguments: given }))
    assert.equal(JSON.parse(textOf(quote)).would_succeed, true)
  })

  test('is refused where it is required', async () => {
    const { body } = await post(call('pricing_bs_price', { ...OPTION, spot: null }))
    assert.match(body.result.content[0].text, /^spot must be a number/)
  })

  test('may stand for no arguments at all', async () => {
    assert.ok((await post(call('account', null))).body.result.structuredContent.credits > 0)
  })
})
