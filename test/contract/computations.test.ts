/** The contract of every computation endpoint, tested for each operation of the catalogue. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { operations } from '../../src/catalogue/index.ts'
import { type Answer, startTestService, UNLIMITED } from '../support/service.ts'

const service = await startTestService()
after(() => service.close())
const key = await service.guestWith(UNLIMITED)

const codeOf = (answer: Answer) => answer.body?.error?.code
const credits = (answer: Answer) => Number(answer.headers.get('x-credits-remaining'))

/** A failure that the contract describes: status, code and the whole envelope. */
function assertFailure(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, codeOf(answer)], [status, code], answer.text)
  assert.equal(answer.body.success, false)
  assert.equal(typeof answer.body.message, 'string')
  assert.ok(answer.body.message.length > 0)
  assert.equal(answer.body.error.request_id, answer.headers.get('x-request-id'))
  for (const detail of answer.body.error.details ?? []) {
    assert.equal(typeof detail.path, 'string')
    assert.equal(typeof detail.message, 'string')
  }
}

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

    it('names every required field that is missing', async () => {
      const answer = await service.call(path, { key, body: {} })
      assertFailure(answer, 422, 'invalid_input')
      const named = answer.body.error.details.map((detail: { path: string }) => detail.path.slice(1))
      assert.deepEqual(named, operation.input.required)
    })

    it('names the missing fields when there is no body at all', async () => {
      const answer = await service.call(path, { method: 'POST', key })
      assertFailure(answer, 422, 'invalid_input')
      assert.equal(answer.body.error.details.length, operation.input.required!.length)
    })

    it('coerces nothing: text, null and booleans are refused in every field', async () => {
      for (const name of Object.keys(input))
        for (const wrong of ['1', null, true, {}]) {
          if (wrong === true && typeof input[name] === 'boolean') continue
          const answer = await service.call(path, { key, body: { ...input, [name]: wrong } })
          assertFailure(answer, 422, 'invalid_input')
          assert.ok(answer.body.error.details[0].path.startsWith(`/${name}`), answer.text)
        }
    })

    it('refuses an unknown field and points to the known one that is close', async () => {
      const known = Object.keys(input)[0]
      const answer = await service.call(path, { key, body: { ...input, [`${known}_`]: 1 } })
      assertFailure(answer, 422, 'invalid_input')
      assert.deepEqual(answer.body.error.details, [
        { path: `/${known}_`, message: `is not a field of this endpoint; did you mean "${known}"?` },
      ])
    })

    it('refuses 1e999, __proto__ and constructor as invalid input', async () => {
      const [name] = Object.keys(input)
      const text = JSON.stringify(input)
      for (const raw of [
        `{"${name}":1e999}`,
        `{"__proto__":{"x":1},${text.slice(1)}`,
        `{"constructor":{"prototype":{}},${text.slice(1)}`,
      ])
        assertFailure(await service.call(path, { key, raw }), 422, 'invalid_input')
    })

    it('takes the last of duplicate keys', async () => {
      const [name] = Object.keys(input)
      const raw = `{"${name}":"wrong",${JSON.stringify(input).slice(1)}`
      assert.equal((await service.call(path, { key, raw })).status, 200)
    })

    it('says where JSON breaks off', async () => {
      const answer = await service.call(path, { key, raw: '{\n  "a": 1,\n  "b" 2}' })
      assertFailure(answer, 400, 'invalid_json')
      assert.match(answer.body.message, /line 3, column 7/)
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

    it('takes JSON only', async () => {
      for (const type of ['text/plain', 'application/json; charset=latin1', '', ';;;'])
        assertFailure(
          await service.call(path, { key, raw: JSON.stringify(input), headers: { 'content-type': type } }),
          415,
          'unsupported_media_type',
        )
      const charset = { 'content-type': 'Application/JSON; charset=UTF-8' }
      assert.equal((await service.call(path, { key, body: input, headers: charset })).status, 200)
    })

    it('answers another method with 405 and the one it takes', async () => {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await service.call(path, { method })
        assertFailure(answer, 405, 'method_not_allowed')
        assert.equal(answer.headers.get('allow'), 'POST')
      }
    })
  })
}

describe('every computation', () => {
  const { example, path } = operations[0]

  it('refuses a body over the limit, declared or not, and tells so', async () => {
    const large = new Uint8Array(16_777_217).fill(32)
    assertFailure(await service.call(path, { key, raw: large }), 413, 'body_too_large')
  })

  it('keeps a good X-Request-Id and replaces a bad one by a UUID of version 7', async () => {
    const kept = await service.call(path, { key, body: {}, headers: { 'x-request-id': 'my-id.1_2' } })
    assert.equal(kept.body.error.request_id, 'my-id.1_2')
    for (const bad of ['with space', 'a'.repeat(129), 'a/b']) {
      const replaced = await service.call(path, { key, body: {}, headers: { 'x-request-id': bad } })
      assert.match(replaced.headers.get('x-request-id')!, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
    }
  })

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
