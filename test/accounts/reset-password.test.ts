/** A new password in exchange for a mailed reset code. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../service.ts'
import {
  count,
  freshEmail,
  letterNumber,
  login,
  MINUTE_MS,
  PASSWORD,
  person,
  refused,
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
/** A person with a reset code on its way. */
async function forgetful() {
  const someone = await person(service)
  await forgot(someone.email)
  const { code } = await letterNumber(service, 2, someone.email)
  return { ...someone, code: code! }
}

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

  it('answers wrong, expired, used and never sent codes alike', async () => {
    const { code, email } = await forgetful()
    const wrong = [await reset(email, 'AAAAAAAAAAAA'), await reset(freshEmail(), code)]
    service.advance(10 * MINUTE_MS)
    const late = await reset(email, code)
    const spent = await forgetful()
    assert.equal((await reset(spent.email, spent.code)).status, 200)
    const used = await reset(spent.email, spent.code)
    const texts = [...wrong, late, used].map((answer) => {
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
