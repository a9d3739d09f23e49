/** Requests that HTTP forbids or that only proxies support, answered according to RFC 9110 and RFC 9112. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exchange, route, startEdge } from '../support/edge.ts'
import { closedAfter } from '../support/service.ts'

const edge = closedAfter(
  await startEdge({
    routes: [route('POST', '/call', () => 'called'), route('GET', '/', () => 'page')],
  }),
)

const CASES: readonly { name: string; bytes: string; reply: RegExp }[] = [
  {
    name: 'CONNECT is 405 with Allow (RFC 9110, 9.3.6)',
    bytes: 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n',
    reply: /^HTTP\/1.1 405 .*allow: GET, HEAD, POST\r\n.*"code":"method_not_allowed"/s,
  },
  {
    name: 'the asterisk form is valid for OPTIONS only (RFC 9112, 3.2.4)',
    bytes: 'GET * HTTP/1.1\r\nHost: x\r\n\r\n',
    reply: /^HTTP\/1.1 400 .*"success":false/s,
  },
  {
    name: 'two Host headers are 400 (RFC 9112, 3.2)',
    bytes: 'GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n',
    reply: /^HTTP\/1.1 400 .*two Host headers/s,
  },
  {
    name: 'an unknown transfer coding is 501 (RFC 9112, 6.1)',
    bytes: 'POST /call HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    reply: /^HTTP\/1.1 501 Not Implemented\r\n.*"code":"not_implemented"/s,
  },
  {
    name: 'headers over 16 KiB are 431 (RFC 6585, 5)',
    bytes: `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    reply: /^HTTP\/1.1 431 .*"code":"headers_too_large"/s,
  },
  {
    name: 'bytes that are no request are 400',
    bytes: 'nonsense\r\n\r\n',
    reply: /^HTTP\/1.1 400 Bad Request\r\n.*"code":"invalid_json"/s,
  },
  {
    name: 'a transfer coding without chunked at its end is 400 (RFC 9112, 6.3)',
    bytes: 'POST /call HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n',
    reply: /^HTTP\/1.1 400 .*"success":false/s,
  },
  {
    name: 'a transfer coding in HTTP/1.0 is 400 (RFC 9112, 6.1)',
    bytes: 'POST /call HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    reply: /^HTTP\/1.1 400 .*"success":false/s,
  },
  {
    name: 'a transfer coding beside a length is 400 (RFC 9112, 6.3)',
    bytes:
      'POST /call HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n',
    reply: /^HTTP\/1.1 400 .*"success":false/s,
  },
  {
    name: 'two lengths are 400 (RFC 9112, 6.3)',
    bytes: 'POST /call HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
    reply: /^HTTP\/1.1 400 .*"success":false/s,
  },
  {
    name: 'a method that no path supports is 405',
    bytes: 'TRACE /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    reply: /^HTTP\/1.1 405 .*allow: GET, HEAD\r\n/s,
  },
]

/** Every JSON reply carries these headers. */
const SECURITY = [
  'x-content-type-options: nosniff',
  'referrer-policy: no-referrer',
  "content-security-policy: default-src 'none'; frame-ancestors 'none'",
]

describe('a malformed request', () => {
  for (const { bytes, name, reply } of CASES)
    it(name, async () => {
      const text = await exchange(edge.port, bytes)
      assert.match(text, reply)
      assert.match(text, /connection: close/i)
      for (const header of SECURITY) assert.ok(text.includes(`\r\n${header}\r\n`), header)
      assert.doesNotMatch(text, /node:|\.ts:/)
    })

  it('ends the connection: a request after it is not served', async () => {
    const text = await exchange(
      edge.port,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    )
    assert.equal(text.split('HTTP/1.1 ').length - 1, 1)
  })

  for (const [name, head] of [
    ['a path that is not there', 'POST /nope HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a method that is not taken', 'PUT /call HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['an unknown transfer coding', 'POST /call HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n'],
  ])
    it(`gets one reply, though its body is malformed too: ${name}`, async () => {
      const text = await exchange(edge.port, `${head}zz\r\n`)
      assert.equal(text.split('HTTP/1.1 ').length - 1, 1, text)
    })

  it('after a valid one does not replace its reply', async () => {
    const text = await exchange(
      edge.port,
      'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nCONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n',
    )
    assert.match(text, /^HTTP\/1.1 200 .*HTTP\/1.1 405 /s)
  })
})
