/** Cross-origin requests of web pages: only those of the origins that the operator names. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { replyHeaders } from '../../../src/derive/headers.ts'
import { OPTION } from '../../support/option.ts'
import { useService } from '../../support/people.ts'
import { closedAfter, startTestService } from '../../support/service.ts'

const ALLOWED = 'https://app.example.org'
const PRICE = '/quantlib/pricing/bs/price'
const ASKS = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' }

const service = await useService({ QUANTD_CORS_ORIGINS: `${ALLOWED},http://localhost:5173` })

const preflight = (path: string, headers: Record<string, string>) =>
  service.call(path, { method: 'OPTIONS', headers })

describe('a page of an allowed origin', () => {
  it('gets the answer to its preflight request', async () => {
    const { headers, status, text } = await preflight(PRICE, { origin: ALLOWED, ...ASKS })
    assert.deepEqual([status, text], [204, ''])
    assert.equal(headers.get('access-control-allow-origin'), ALLOWED)
    assert.equal(headers.get('access-control-allow-methods'), 'POST')
    assert.match(headers.get('access-control-allow-headers')!, /Content-Type, X-API-Key, Idempotency-Key/)
    assert.equal(headers.get('access-control-allow-credentials'), null)
  })

  it('may read replies, failures too, with every header that is documented', async () => {
    const key = await service.guest()
    const ok = await service.call(PRICE, {
      key,
      headers: { origin: ALLOWED },
      body: OPTION,
    })
    const refused = await service.call(PRICE, { headers: { origin: ALLOWED }, body: {} })
    assert.deepEqual([ok.status, refused.status], [200, 401])
    for (const { headers } of [ok, refused]) {
      assert.equal(headers.get('access-control-allow-origin'), ALLOWED)
      const exposed = headers.get('access-control-expose-headers')!.split(', ')
      assert.deepEqual(exposed.sort(), Object.keys(replyHeaders).sort())
      assert.match(headers.get('vary')!, /Origin/)
    }
  })
})

describe('any other page', () => {
  it('gets no answer to a preflight request and may read no reply', async () => {
    for (const origin of [
      'https://evil.example',
      `${ALLOWED}.evil.example`,
      'null',
      'http://app.example.org',
    ]) {
      const asked = await preflight(PRICE, { origin, ...ASKS })
      assert.equal(asked.status, 405)
      const reply = await service.call('/version', { headers: { origin } })
      for (const { headers } of [asked, reply]) {
        assert.equal(headers.get('access-control-allow-origin'), null)
        assert.equal(headers.get('vary'), 'Origin')
      }
    }
  })

  it('that asks for an unknown path, or without naming a method, gets the failure', async () => {
    assert.equal((await preflight('/nowhere', { origin: ALLOWED, ...ASKS })).status, 404)
    assert.equal((await preflight(PRICE, { origin: ALLOWED })).status, 405)
  })
})

it('without allowed origins no reply has a header about them', async () => {
  const closed = closedAfter(await startTestService())
  const asked = await closed.call(PRICE, { method: 'OPTIONS', headers: { origin: ALLOWED, ...ASKS } })
  assert.equal(asked.status, 405)
  for (const name of ['access-control-allow-origin', 'vary']) assert.equal(asked.headers.get(name), null)
})
