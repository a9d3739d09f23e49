/** Verification: a code confirms the registration whose mail contained it, once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { number, query } from '../support/database.ts'
import { freshEmail, MINUTE_MS, refused, useService, wrongCode } from '../support/people.ts'

const service = await useService()

describe('POST /user/verify-otp', () => {
  it('makes the account: a key that works, 350 credits, shown once', async () => {
    const email = freshEmail()
    await service.register(email, { full_name: 'Ada Lovelace' })
    const { code } = await service.letterNumber(1, email)
    const answer = await service.verify(email, code!)
    assert.deepEqual(Object.keys(answer.body.data), ['api_key', 'message'])
    assert.match(answer.body.data.api_key, /^qd_user_[0-9A-Za-z]{43}$/)
    const key = answer.body.data.api_key
    const profile = await service.call('/user/profile', { key })
    assert.equal(profile.body.data.credits, 350)
    assert.equal(profile.body.data.account_type, 'free')
    assert.equal(profile.body.data.full_name, 'Ada Lovelace')
    assert.equal((await service.compute(key)).headers.get('x-credits-remaining'), '349')
  })

  it('takes the address in any case and the digits with spaces', async () => {
    const email = freshEmail()
    await service.register(email)
    const { code } = await service.letterNumber(1, email)
    const answer = await service.verify(email.toUpperCase(), `${code!.slice(0, 3)} ${code!.slice(3)}`)
    assert.equal(answer.status, 200, answer.text)
  })

  it('answers wrong, used, expired and never sent codes alike', async () => {
    const email = freshEmail()
    await service.register(email)
    const { code } = await service.letterNumber(1, email)
    const wrong = await service.verify(email, wrongCode(code!))
    const misspelt = await service.verify(email, 'abc')
    const unknown = await service.verify(freshEmail(), '123456')
    assert.equal((await service.verify(email, code!)).status, 200)
    const used = await service.verify(email, code!)
    const late = freshEmail()
    await service.register(late)
    const { code: old } = await service.letterNumber(1, late)
    service.advance(10 * MINUTE_MS)
    const expired = await service.verify(late, old!)
    const texts = [wrong, misspelt, unknown, used, expired].map((answer) => {
      refused(answer, 401, 'otp_invalid')
      return answer.text.replace(answer.body.error.request_id, '')
    })
    assert.equal(new Set(texts).size, 1)
  })

  it('takes a code until its tenth minute is over', async () => {
    const email = freshEmail()
    await service.register(email)
    const { code } = await service.letterNumber(1, email)
    service.advance(10 * MINUTE_MS - 2_000)
    assert.equal((await service.verify(email, code!)).status, 200)
  })

  it('confirms the registration whose mail carried the code, and removes the others of the address', async () => {
    const email = freshEmail()
    const { registration } = (
      await service.register(email, { username: 'first', password: 'the first password' })
    ).body.data
    const first = await service.letterNumber(1, email)
    await service.register(email, { username: 'second', password: 'the second password' })
    const second = await service.letterNumber(2, email)
    assert.equal((await service.verify(email, first.code!, { registration })).status, 200)
    assert.equal((await service.login(email, 'the first password')).body.data.user.full_name, 'first')
    refused(await service.login(email, 'the second password'), 401, 'invalid_credentials')
    refused(await service.verify(email, second.code!), 401, 'otp_invalid')
    assert.equal(await number(service, `SELECT count(*) FROM registrations WHERE address = '${email}'`), 0)
  })

  it('makes one account of two registrations confirmed at once', async () => {
    const email = freshEmail()
    await service.register(email)
    await service.register(email)
    const codes = [await service.letterNumber(1, email), await service.letterNumber(2, email)]
    const answers = await Promise.all([...codes, ...codes].map(({ code }) => service.verify(email, code!)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    assert.equal(await number(service, `SELECT count(*) FROM accounts WHERE address = '${email}'`), 1)
  })

  it("records the verification in the audit, with the client's address and the request id", async () => {
    const email = freshEmail()
    await service.register(email)
    const { code } = await service.letterNumber(1, email)
    await service.call('/user/verify-otp', {
      body: { email, otp: code },
      headers: { 'x-request-id': `verify-${email.split('@')[0]}` },
    })
    const [event] = await query(
      service,
      `SELECT code, ip, kind FROM audit WHERE request_id = 'verify-${email.split('@')[0]}'`,
    )
    assert.deepEqual({ ...event }, { code: 'account_verified', ip: '127.0.0.1', kind: 'event' })
  })
})
