/** A request with several faults: the reply names the one that comes first in the order of precedence. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { useService } from '../support/people.ts'

const PRICE = '/quantlib/pricing/bs/price'

const service = await useService({ QUANTD_BODY_LIMIT: '100000' })

describe('a malformed Idempotency-Key or an unknown query parameter', () => {
  const faults = [
    { name: 'key', path: PRICE, headers: { 'idempotency-key': 'two words' } },
    { name: 'parameter', path: `${PRICE}?spot=1`, headers: {} },
  ]
  for (const { headers, name, path } of faults) {
    const call = async (raw: string, more: Record<string, string> = {}) => {
      const key = await service.guest()
      const { body, status } = await service.call(path, { key, raw, headers: { ...headers, ...more } })
      return [status, body.error.code]
    }
    it(`is reported if nothing else is wrong (${name})`, async () => {
      assert.deepEqual(await call('{}'), [422, 'invalid_input'])
    })
    it(`is counted, also if the body arrives in pieces (${name})`, async () => {
      const key = await service.guest()
      const body = ReadableStream.from(['{', '}'].map((piece) => Buffer.from(piece.padEnd(40_000))))
      const reply = await fetch(service.url + path, {
        method: 'POST',
        headers: { ...headers, 'x-api-key': key, 'content-type': 'application/json' },
        body,
        duplex: 'half',
      } as RequestInit)
      assert.equal(reply.status, 422)
      assert.match(reply.headers.get('ratelimit') ?? '', /"hour";r=59;/)
    })
    it(`comes after a media type that is not JSON (${name})`, async () => {
      assert.deepEqual(await call('{}', { 'content-type': 'text/plain' }), [415, 'unsupported_media_type'])
    })
    it(`comes after a body that is too large (${name})`, async () => {
      assert.deepEqual(await call(' '.repeat(100_001)), [413, 'body_too_large'])
    })
  }
})
