/** The bodies, media types and methods that each computation takes and refuses, which no database has a part in. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { operations } from '../../src/compute/catalogue/index.ts'
import { assertFailure } from '../support/failures.ts'
import { useService } from '../support/people.ts'
import { UNLIMITED } from '../support/service.ts'

/** The letters of formulas, and the words of the operations that have words. */
const LETTERS = [
  ['S', 'spot'],
  ['K', 'strike'],
  ['T', 'time_to_maturity'],
  ['r', 'risk_free_rate'],
  ['q', 'dividend_yield'],
  ['sigma', 'volatility'],
  ['F', 'forward'],
] as const

/** By a field's name the other name of its quantity. */
const namesOf = (input: object) =>
  new Map(
    LETTERS.flatMap(([letter, word]): [string, string][] => [
      [letter, word],
      [word, letter],
    ]).filter(([name]) => name in input),
  )

const service = await useService()
const key = await service.guestWith(UNLIMITED)

for (const operation of operations) {
  const { example, path } = operation
  const input = example.input as Record<string, unknown>

  describe(`POST ${path}`, () => {
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

    it('tells people with the names of formulas, or of other operations, its own names', async () => {
      const others = namesOf(input)
      const renamed = Object.entries(input).map(([name, value]) => [others.get(name) ?? name, value])
      const answer = await service.call(path, { key, body: Object.fromEntries(renamed) })
      const expected = Object.keys(input).flatMap((name) =>
        others.has(name)
          ? [{ path: `/${others.get(name)}`, message: `is not a field: this operation calls it "${name}"` }]
          : [],
      )
      if (expected.length === 0) return
      assertFailure(answer, 422, 'invalid_input')
      assert.deepEqual(answer.body.error.details, expected)
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
  const { path } = operations[0]

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
})
