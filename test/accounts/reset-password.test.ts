/** A new password in exchange for a mailed reset code. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  count,
  freshEmail,
  MINUTE_MS,
  NEW_PASSWORD,
  PASSWORD,
  refused,
  times,
  useService,
} from '../support/people.ts'

const service = await useService()

describe('POST /user/reset-password', () => {
  it('sets the password with the code, once, and leaves the key as it is', async () => {
    const { code, email, key } = await service.forgetfulPerson()
    const answer = await service.resetPassword(email, code)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.body.data), ['message'])
    refused(await service.login(email, PASSWORD), 401, 'invalid_credentials')
    assert.equal((await service.login(email, NEW_PASSWORD)).body.data.api_key, key)
    refused(await service.resetPassword(email, code, 'a third password'), 401, 'otp_invalid')
    assert.match((await service.letterNumber(3, email)).subject, /password was changed/)
  })

  it('takes the code in small letters and groups', async () => {
    const { code, email } = await service.forgetfulPerson()
    const typed = code.toLowerCase().match(/.{4}/g)!.join('-')
    assert.equal((await service.resetPassword(email, typed)).status, 200)
  })

  it('answers wrong, expired, used and never sent codes alike', async () => {
    const { code, email } = await service.forgetfulPerson()
    const wrong = [
      await service.resetPassword(email, 'AAAAAAAAAAAA'),
      await service.resetPassword(freshEmail(), code),
    ]
    service.advance(10 * MINUTE_MS)
    const late = await service.resetPassword(email, code)
    const spent = await service.forgetfulPerson()
    assert.equal((await service.resetPassword(spent.email, spent.code)).status, 200)
    const used = await service.resetPassword(spent.email, spent.code)
    const texts = [...wrong, late, used].map((answer) => {
      refused(answer, 401, 'otp_invalid')
      return answer.text.replace(answer.body.error.request_id, '')
    })
    assert.equal(new Set(texts).size, 1)
  })

  it('ends the code before it when a new one is sent', async () => {
    const { code, email } = await service.forgetfulPerson()
    service.advance(MINUTE_MS)
    await service.forgotPassword(email)
    const { code: newer } = await service.letterNumber(3, email)
    refused(await service.resetPassword(email, code), 401, 'otp_invalid')
    assert.equal((await service.resetPassword(email, newer!)).status, 200)
  })

  it('lets one of several resets with one code through', async () => {
    const { code, email } = await service.forgetfulPerson()
    const answers = await times(5, (i) => service.resetPassword(email, code, `password number ${i}`))
    assert.equal(count(answers, 200), 1)
    const winner = answers.findIndex(({ status }) => status === 200)
    assert.equal((await service.login(email, `password number ${winner}`)).status, 200)
  })

  it('keeps the code of one address from serving another', async () => {
    const [one, other] = [await service.forgetfulPerson(), await service.forgetfulPerson()]
    refused(await service.resetPassword(other.email, one.code), 401, 'otp_invalid')
    assert.equal((await service.resetPassword(one.email, one.code)).status, 200)
  })

  it('refuses a password that is too short and names the field', async () => {
    const { code, email } = await service.forgetfulPerson()
    const answer = await service.resetPassword(email, code, 'short')
    refused(answer, 422, 'invalid_input')
    assert.equal(answer.body.error.details[0].path, '/password')
    assert.equal((await service.resetPassword(email, code)).status, 200)
  })
})
