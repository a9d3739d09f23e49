/** Each operation of the catalogue answers its example, charges it and wants a key; `test/compute/bodies.test.ts` has the rest of the contract. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../src/compute/catalogue/index.ts'
import { assertFailure } from '../support/failures.ts'
import { useService } from '../support/people.ts'
import { type Answer, UNLIMITED } from '../support/service.ts'

const service = await useService()
const key = await service.guestWith(UNLIMITED)

const credits = (answer: Answer) => Number(answer.headers.get('x-credits-remaining'))

for (const operation of operations) {
  const { example, path } = operation
  const input = example.input as Record<string, unknown>

  describe(`POST ${path}`, () => {
    it('answers its example with exactly the documented data', async () => {
      const answer = await service.call(path, { key, body: input })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body, { success: true, data: example.output })
    })

    it('charges a success one credit and a failure none', async () => {
      const key = await service.guest()
      const success = await service.call(path, { key, body: input })
      assert.deepEqual([credits(success), success.headers.get('x-credits-cost')], [49, '1'])
      const failure = await service.call(path, { key, body: {} })
      assert.deepEqual([credits(failure), failure.headers.get('x-credits-cost')], [49, '0'])
    })

    it('authenticates before it looks at the body', async () => {
      const raw = '{"broken'
      assertFailure(await service.call(path, { raw }), 401, 'api_key_missing')
      for (const bad of [
        'nonsense',
        'qd_guest_short',
        `qd_guest_${'a'.repeat(43)}`,
        `qd_user_${'A'.repeat(43)}`,
      ]) {
        const answer = await service.call(path, { key: bad, raw, headers: { 'content-type': 'text/plain' } })
        assertFailure(answer, 401, 'api_key_invalid')
        assert.equal(answer.body.message, 'Invalid or expired API key')
      }
    })
  })
}

describe('every computation', () => {
  const { example, path } = operations[0]

  it('gives large requests the same answer as small ones', async () => {
    const small = await service.call(path, { key, body: example.input })
    const padded = `${JSON.stringify(example.input)}${' '.repeat(100_000)}`
    const large = await service.call(path, { key, raw: padded })
    assert.equal(large.status, 200, large.text)
    assert.deepEqual(large.body, small.body)
    assert.equal(credits(large), credits(small) - 1)
  })
})

describe('paths', () => {
  it('answers an unknown path with 404, whatever the method and the key', async () => {
    for (const path of ['/nothing', '/quantlib', '/quantlib/pricing/bs/price/', '/%zz', '//'])
      assertFailure(await service.call(path), 404, 'route_not_found')
    assertFailure(await service.call('/nothing', { body: {} }), 404, 'route_not_found')
  })

  it('tells that it lives, is ready, and which version it is', async () => {
    assert.deepEqual((await service.call('/healthz')).body, { success: true, data: { status: 'ok' } })
    assert.deepEqual((await service.call('/readyz')).body, {
      success: true,
      data: { status: 'ready', replication: 'none' },
    })
    assert.match((await service.call('/version')).body.data.version, /^\d+\.\d+\.\d+$/)
  })
})
