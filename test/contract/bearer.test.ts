/** A key as a bearer token (RFC 6750), and the challenge of every 401 (RFC 9110, section 11.6.1). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describe as described } from '../../src/derive/documented-endpoints.ts'
import { sources } from '../../src/derive/sources.ts'
import { OPTION } from '../support/option.ts'
import { useService } from '../support/people.ts'

const CHALLENGE = 'Bearer realm="quantd"'
const PRICE = '/quantlib/pricing/bs/price'

const service = await useService()
const [key, other] = [await service.guest(), await service.guest()]

const send = (path: string, headers: Record<string, string>, method = 'POST') =>
  fetch(service.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(OPTION) }),
  })

describe('a key as a bearer token', () => {
  it('is taken by every endpoint that takes a key', async () => {
    const keyed = described(sources).filter((one) => one.key !== 'none')
    assert.ok(keyed.length > 40)
    for (const { method, path } of keyed) {
      const none = await send(path, {}, method)
      assert.deepEqual([none.status, none.headers.get('www-authenticate')], [401, CHALLENGE], path)
      const unknown = await send(path, { authorization: `Bearer qd_guest_${'a'.repeat(43)}` }, method)
      assert.deepEqual([unknown.status, unknown.headers.get('www-authenticate')], [401, CHALLENGE], path)
      const known = await send(path, { authorization: `bearer ${key}` }, method)
      assert.notEqual(known.status, 401, path)
      assert.equal(known.headers.get('www-authenticate'), null, path)
    }
  })

  it('is charged as one in X-API-Key', async () => {
    const fresh = await service.guest()
    const replies = [
      await send(PRICE, { authorization: `Bearer ${fresh}` }),
      await send(PRICE, { 'x-api-key': fresh, authorization: `Bearer ${fresh}` }),
    ]
    assert.deepEqual(
      replies.map(({ status, headers }) => [status, headers.get('x-credits-remaining')]),
      [
        [200, '49'],
        [200, '48'],
      ],
    )
  })

  it('is refused beside another key, and the reply says so', async () => {
    for (const path of [PRICE, '/mcp']) {
      const reply = await send(path, { 'x-api-key': key, authorization: `Bearer ${other}` })
      const { error } = (await reply.json()) as { error: { code: string; details: { message: string }[] } }
      assert.deepEqual([reply.status, error.code], [401, 'api_key_invalid'])
      assert.match(error.details[0].message, /different keys/)
    }
  })

  it('is not what a proxy puts into Authorization beside an X-API-Key', async () => {
    for (const authorization of ['Basic YTpi', 'Bearer eyJhbGciOi.of.the.proxy'])
      assert.equal((await send(PRICE, { 'x-api-key': key, authorization })).status, 200)
  })
})
