/** A new key replaces the old one, which is refused from then on. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { count, refused, times, useService } from '../support/people.ts'

const service = await useService()

describe('POST /user/regenerate-api-key', () => {
  it('gives a new key, and the old one is refused from the very next request', async () => {
    const grace = await service.person()
    const { body, status } = await service.regenerate(grace.key)
    refused(await service.compute(grace.key), 401, 'api_key_invalid')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data), ['api_key', 'message'])
    assert.notEqual(body.data.api_key, grace.key)
    assert.equal((await service.compute(body.data.api_key)).status, 200)
    assert.equal((await service.login(grace.email)).body.data.api_key, body.data.api_key)
    await service.letterNumber(2, grace.email)
  })

  it('takes an absent and an empty body, whatever its content type says, and refuses another one that is not JSON', async () => {
    let { key } = await service.person()
    const regenerate = (options: object) =>
      service.call('/user/regenerate-api-key', { method: 'POST', key, ...options })
    const headers = { 'content-type': 'text/plain' }
    for (const options of [{}, { raw: '', headers }, { raw: '{}' }]) {
      const answer = await regenerate(options)
      assert.equal(answer.status, 200, answer.text)
      key = answer.body.data.api_key
    }
    for (const raw of ['{}', 'no JSON'])
      refused(await regenerate({ raw, headers }), 415, 'unsupported_media_type')
    const inChunks = await fetch(`${service.url}/user/regenerate-api-key`, {
      method: 'POST',
      headers: { ...headers, 'x-api-key': key },
      body: new Blob(['{}']).stream(),
      duplex: 'half',
    })
    assert.equal(inChunks.status, 415)
    assert.equal((await service.compute(key)).status, 200)
  })

  it('takes the counts of the account’s windows along', async () => {
    const { key } = await service.person()
    await service.compute(key)
    const { body } = await service.regenerate(key)
    const answer = await service.compute(body.data.api_key)
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '498')
    assert.equal(answer.headers.get('x-credits-remaining'), '348')
  })

  it('makes one key of ten requests at once', async () => {
    const { email, key } = await service.person()
    const answers = await times(10, () => service.regenerate(key))
    assert.equal(count(answers, 200), 1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      refused(answer, 401, 'api_key_invalid')
    const { api_key } = answers.find(({ status }) => status === 200)!.body.data
    assert.equal((await service.login(email)).body.data.api_key, api_key)
  })

  it('is not for guests', async () => {
    refused(await service.regenerate(await service.guest()), 403, 'guest_forbidden')
  })
})
