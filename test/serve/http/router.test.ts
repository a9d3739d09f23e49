/** Targets of requests in every form that HTTP allows, over a connection. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { exchange, route, startEdge } from '../../support/edge.ts'
import { closedAfter } from '../../support/service.ts'

const edge = closedAfter(
  await startEdge({
    routes: [
      route('POST', '/prices/bs', () => 'price'),
      route('GET', '/prices/bs', () => 'help'),
      route('GET', '/docs/prices', () => 'page'),
    ],
  }),
)

const reply = (line: string) =>
  exchange(edge.port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)

describe('the router', () => {
  for (const target of [
    '/prices/bs',
    '/prices/bs?spot=1',
    '/prices/%62s',
    'http://localhost/prices/bs',
    'HTTPS://x:1/prices/bs?a',
  ])
    it(`takes ${target}`, async () =>
      assert.match(await reply(`POST ${target}`), /^HTTP\/1.1 200 .*"price"/s))

  it('tells methods at one path apart, and serves HEAD like GET, without the body', async () => {
    assert.match(await reply('GET /prices/bs'), /^HTTP\/1.1 200 .*"help"/s)
    assert.match(await reply('HEAD /prices/bs'), /^HTTP\/1.1 200 .*content-length: 6\r\n.*\r\n\r\n$/s)
  })

  it('names the methods of a path that takes others', async () => {
    assert.match(await reply('DELETE /prices/bs'), /^HTTP\/1.1 405 .*allow: POST, GET, HEAD\r\n/s)
  })

  for (const target of ['/prices', '/prices/bs/', '/prices/BS', '/prices%2Fbs', '/prices/%zz', '/%E0%A4%A'])
    it(`finds nothing at ${target}`, async () =>
      assert.match(await reply(`POST ${target}`), /^HTTP\/1.1 404 /))

  it('suggests the closest endpoint, and no page or file: comparing with hundreds of them would take too long', async () => {
    assert.match(await reply('GET /prices/bz'), /did you mean \/prices\/bs\?/)
    assert.match(
      await reply('GET /docs/pricez'),
      /There is no \/docs\/pricez; the endpoints are listed at \/docs\./,
    )
  })
})
