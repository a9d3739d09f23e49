/** Passwords: forgotten, reset and changed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../service.ts'
import {
  compute,
  count,
  freshEmail,
  HOUR_MS,
  letterCount,
  letterNumber,
  login,
  MINUTE_MS,
  PASSWORD,
  person,
  refused,
  register,
  startWithoutIpLimits,
  times,
} from './people.ts'

const NEW_PASSWORD = 'another horse battery staple'

let service: TestService
before(async () => {
  service = await startWithoutIpLimits()
})
after(() => service.close())

const forgot = (email: string) => service.call('/user/forgot-password', { body: { email } })
const reset = (email: string, otp: string, password = NEW_PASSWORD) =>
  service.call('/user/reset-password', { body: { email, otp, password } })
const change = (key: string, password: string, newPassword = NEW_PASSWORD) =>
  service.call('/user/change-password', { key, body: { password, new_password: newPassword } })

/** A person with a reset code on its way. */
async function forgetful() {
  const someone = await person(service)
  await forgot(someone.email)
  const { code } = await letterNumber(service, 2, someone.email)
  return { ...someone, code: code! }
}

describe('POST /user/forgot-password', () => {
  it('sends a known address twelve characters of base32 and answers an unknown one alike', async () => {
    const { email } = await person(service)
    const stranger = freshEmail()
    const [known, unknown] = [await forgot(email), await forgot(stranger)]
    assert.equal(known.text.replace(email, ''), unknown.text.replace(stranger, ''))
    assert.match((await letterNumber(service, 2, email)).code!, /^[A-Z2-7]{12}$/)
    assert.equal(await letterCount(service, stranger), 0)
  })

  it('sends nothing to an address that is not verified', async () => {
    const email = freshEmail()
    await register(service, email)
    await forgot(email)
    assert.equal(await letterCount(service, email), 1)
  })

  it('sends no second mail within 60 seconds, and no more than five an hour', async () => {
    const { email } = await person(service)
    await forgot(email)
    await forgot(email)
    assert.equal(await letterCount(service, email), 2)
    for (let i = 0; i < 6; i++) {
      service.advance(MINUTE_MS)
      await forgot(email)
    }
    assert.equal(await letterCount(service, email), 6)
    service.advance(HOUR_MS)
    await forgot(email)
    await letterNumber(service, 7, email)
  })
})

describe('POST /user/reset-password', () => {
  it('sets the password with the code, once, and leaves the key as it is', async () => {
    const { code, email, key } = await forgetful()
    const answer = await reset(email, code)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.body.data), ['message'])
    refused(await login(service, email, PASSWORD), 401, 'invalid_credentials')
    assert.equal((await login(service, email, NEW_PASSWORD)).body.data.api_key, key)
    refused(await reset(email, code, 'a third password'), 401, 'otp_invalid')
    assert.match((await letterNumber(service, 3, email)).subject, /password was changed/)
  })

  it('takes the code in small letters and groups', async () => {
    const { code, email } = await forgetful()
    const typed = code.toLowerCase().match(/.{4}/g)!.join('-')
    assert.equal((await reset(email, typed)).status, 200)
  })

  it('answers wrong, expired, used-up and never sent codes alike', async () => {
    const { code, email } = await forgetful()
    const wrong = [await reset(email, 'AAAAAAAAAAAA'), await reset(freshEmail(), code)]
    service.advance(10 * MINUTE_MS)
    const late = await reset(email, code)
    const worn = await forgetful()
    for (let i = 0; i < 5; i++) await reset(worn.email, 'AAAAAAAAAAAA')
    const usedUp = await reset(worn.email, worn.code)
    const texts = [...wrong, late, usedUp].map((answer) => {
      refused(answer, 401, 'otp_invalid')
      return answer.text.replace(answer.body.error.request_id, '')
    })
    assert.equal(new Set(texts).size, 1)
  })

  it('ends the code before it when a new one is sent', async () => {
    const { code, email } = await forgetful()
    service.advance(MINUTE_MS)
    await forgot(email)
    const { code: newer } = await letterNumber(service, 3, email)
    refused(await reset(email, code), 401, 'otp_invalid')
    assert.equal((await reset(email, newer!)).status, 200)
  })

  it('lets one of several resets with one code through', async () => {
    const { code, email } = await forgetful()
    const answers = await times(5, (i) => reset(email, code, `password number ${i}`))
    assert.equal(count(answers, 200), 1)
    const winner = answers.findIndex(({ status }) => status === 200)
    assert.equal((await login(service, email, `password number ${winner}`)).status, 200)
  })

  it('keeps the code of one address from serving another', async () => {
    const [one, other] = [await forgetful(), await forgetful()]
    refused(await reset(other.email, one.code), 401, 'otp_invalid')
    assert.equal((await reset(one.email, one.code)).status, 200)
  })

  it('refuses a password that is too short and names the field', async () => {
    const { code, email } = await forgetful()
    const answer = await reset(email, code, 'short')
    refused(answer, 422, 'invalid_input')
    assert.equal(answer.body.error.details[0].path, '/password')
    assert.equal((await reset(email, code)).status, 200)
  })
})

describe('POST /user/change-password', () => {
  it('sets a new password for who knows the present one, and tells by mail', async () => {
    const { email, key } = await person(service)
    refused(await change(key, 'not the password'), 401, 'invalid_credentials')
    assert.equal((await change(key, PASSWORD)).status, 200)
    refused(await login(service, email, PASSWORD), 401, 'invalid_credentials')
    assert.equal((await login(service, email, NEW_PASSWORD)).status, 200)
    assert.equal((await compute(service, key)).status, 200)
    assert.match((await letterNumber(service, 2, email)).subject, /password was changed/)
  })

  it('ends a reset code that is still on its way', async () => {
    const { code, email, key } = await forgetful()
    assert.equal((await change(key, PASSWORD)).status, 200)
    refused(await reset(email, code, 'the stranger’s password'), 401, 'otp_invalid')
  })

  it('shares its limit with login: ten wrong passwords in 15 minutes, then 429', async () => {
    const { email, key } = await person(service)
    for (let i = 0; i < 5; i++) refused(await change(key, `wrong ${i}`), 401, 'invalid_credentials')
    for (let i = 0; i < 5; i++) refused(await login(service, email, `wrong ${i}`), 401, 'invalid_credentials')
    refused(await change(key, PASSWORD), 429, 'too_many_attempts')
    service.advance(15 * MINUTE_MS)
    assert.equal((await change(key, PASSWORD)).status, 200)
  })

  it('is not for guests', async () => {
    refused(await change(await service.guest(), PASSWORD), 403, 'guest_forbidden')
  })
})
