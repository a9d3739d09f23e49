/** Login and the account's key: recovered, replaced, suspended; the profile that tells of it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../service.ts'
import { number, query } from './database.ts'
import {
  compute,
  count,
  freshEmail,
  letterNumber,
  login,
  PASSWORD,
  type Person,
  person,
  refused,
  register,
  startWithoutIpLimits,
  times,
} from './people.ts'

let service: TestService
let ada: Person
before(async () => {
  service = await startWithoutIpLimits()
  ada = await person(service, { full_name: 'Ada Lovelace' })
})
after(() => service.close())

const regenerate = (key: string) => service.call('/user/regenerate-api-key', { method: 'POST', key })

describe('POST /user/login', () => {
  it('returns the present key, the account and the top-level message', async () => {
    const { body, status } = await login(service, ada.email)
    assert.equal(status, 200)
    assert.equal(body.message, 'Login successful')
    assert.equal(body.data.api_key, ada.key)
    const { user_id, ...user } = body.data.user
    assert.ok(Number.isInteger(user_id))
    assert.deepEqual(user, {
      email: ada.email,
      full_name: 'Ada Lovelace',
      credits: 350,
      account_type: 'free',
    })
  })

  it('takes the address in any case, and the password in any composition of its letters', async () => {
    const zoe = await person(service, { password: 'Zo\u00EB\u2019s password' })
    const answer = await login(service, zoe.email.toUpperCase(), 'Zoe\u0308\u2019s password')
    assert.equal(answer.body.data.api_key, zoe.key)
  })

  it('answers a wrong password, an unknown address and an unverified one alike', async () => {
    const pending = freshEmail()
    await register(service, pending)
    const answers = [
      await login(service, ada.email, 'not the password'),
      await login(service, freshEmail()),
      await login(service, pending),
    ]
    const texts = answers.map((answer) => {
      refused(answer, 401, 'invalid_credentials')
      return answer.text.replace(answer.body.error.request_id, '')
    })
    assert.equal(new Set(texts).size, 1)
  })

  it('writes each showing of the key down', async () => {
    const shown = () =>
      number(service, `SELECT count(*) FROM audit WHERE code = 'key_revealed' AND request_id = 'a-login'`)
    const headers = { 'x-request-id': 'a-login' }
    await service.call('/user/login', { body: { email: ada.email, password: 'not it' }, headers })
    assert.equal(await shown(), 0)
    await service.call('/user/login', { body: { email: ada.email, password: PASSWORD }, headers })
    assert.equal(await shown(), 1)
  })

  it('lets one account log in 40 times at once', async () => {
    const answers = await times(40, () => login(service, ada.email))
    assert.equal(count(answers, 200), 40)
  })

  it('gives no key of a suspended account away, and says so only after the right password', async () => {
    const eve = await person(service)
    await query(
      service,
      `UPDATE api_keys SET status = 'suspended' WHERE account_id = (SELECT id FROM accounts WHERE address = '${eve.email}')`,
    )
    refused(await login(service, eve.email, 'not the password'), 401, 'invalid_credentials')
    const answer = await login(service, eve.email)
    refused(answer, 403, 'key_suspended')
    assert.ok(!answer.text.includes('qd_user_'))
    refused(await compute(service, eve.key), 401, 'api_key_invalid')
    refused(await regenerate(eve.key), 401, 'api_key_invalid')
  })
})

describe('POST /user/regenerate-api-key', () => {
  it('gives a new key, and the old one is refused from the very next request', async () => {
    const grace = await person(service)
    const { body, status } = await regenerate(grace.key)
    refused(await compute(service, grace.key), 401, 'api_key_invalid')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data), ['api_key', 'message'])
    assert.notEqual(body.data.api_key, grace.key)
    assert.equal((await compute(service, body.data.api_key)).status, 200)
    assert.equal((await login(service, grace.email)).body.data.api_key, body.data.api_key)
    await letterNumber(service, 2, grace.email)
  })

  it('takes an absent, an empty and any body, whatever its content type says', async () => {
    let { key } = await person(service)
    for (const options of [{}, { raw: '', headers: { 'content-type': 'text/plain' } }, { raw: '{}' }]) {
      const answer = await service.call('/user/regenerate-api-key', { method: 'POST', key, ...options })
      assert.equal(answer.status, 200, answer.text)
      key = answer.body.data.api_key
    }
  })

  it('takes the counts of the account’s windows along', async () => {
    const { key } = await person(service)
    await compute(service, key)
    const { body } = await regenerate(key)
    const answer = await compute(service, body.data.api_key)
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '498')
    assert.equal(answer.headers.get('x-credits-remaining'), '348')
  })

  it('makes one key of ten requests at once', async () => {
    const { email, key } = await person(service)
    const answers = await times(10, () => regenerate(key))
    assert.equal(count(answers, 200), 1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      refused(answer, 401, 'api_key_invalid')
    const { api_key } = answers.find(({ status }) => status === 200)!.body.data
    assert.equal((await login(service, email)).body.data.api_key, api_key)
  })

  it('is not for guests', async () => {
    refused(await regenerate(await service.guest()), 403, 'guest_forbidden')
  })
})

describe('GET /user/profile', () => {
  it('tells of the account and its key', async () => {
    const { key } = ada
    const { data } = (await service.call('/user/profile', { key })).body
    const { api_key_created_at, created_at, user_id, ...rest } = data
    assert.ok(Number.isInteger(user_id))
    for (const instant of [api_key_created_at, created_at])
      assert.equal(new Date(instant).toISOString(), instant)
    assert.deepEqual(rest, {
      email: ada.email,
      full_name: 'Ada Lovelace',
      credits: 350,
      account_type: 'free',
      mfa_enabled: false,
      api_key_status: 'active',
    })
  })

  it('tells when the present key was made, not the account', async () => {
    const { key } = await person(service)
    service.advance(5_000)
    const { body } = await regenerate(key)
    const { data } = (await service.call('/user/profile', { key: body.data.api_key })).body
    assert.ok(Date.parse(data.api_key_created_at) - Date.parse(data.created_at) >= 5_000)
  })

  it('tells a guest what a guest has', async () => {
    const { data } = (await service.call('/user/profile', { key: await service.guest() })).body
    assert.deepEqual(Object.keys(data).sort(), [
      'account_type',
      'api_key_created_at',
      'api_key_status',
      'credits',
      'expires_at',
    ])
    assert.equal(data.account_type, 'guest')
    assert.equal(data.credits, 50)
    assert.equal(Date.parse(data.expires_at) - Date.parse(data.api_key_created_at), 24 * 3_600_000)
  })

  it('falls back on nothing where no key is sent', async () => {
    refused(await service.call('/user/profile'), 401, 'api_key_missing')
  })
})
