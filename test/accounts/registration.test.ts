/** Registration: pending rows with a code each, mails that are counted, and nothing that tells who is known. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'
import { number, query } from './database.ts'
import {
  compute,
  freshEmail,
  HOUR_MS,
  letterCount,
  letterNumber,
  letters,
  login,
  MINUTE_MS,
  person,
  refused,
  register,
  startWithoutIpLimits,
  verify,
  wrongCode,
} from './people.ts'

let service: TestService
before(async () => {
  service = await startWithoutIpLimits()
})
after(() => service.close())

const resend = (email: string) => service.call('/user/resend-otp', { body: { email } })

describe('POST /user/register', () => {
  it('answers with the address and sends one mail that names the username and holds six digits', async () => {
    const email = freshEmail()
    const answer = await register(service, email, { username: 'Zoë L.' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.body.data), ['email', 'message'])
    assert.equal(answer.body.data.email, email)
    const mail = await letterNumber(service, 1, email)
    assert.match(mail.code!, /^\d{6}$/)
    assert.match(mail.source, /Zo=C3=AB L\./)
    assert.ok(!answer.text.includes(mail.code!))
  })

  it('refuses short and long passwords, bad addresses and usernames, and names the field', async () => {
    for (const [field, value] of [
      ['password', 'x'.repeat(7)],
      ['password', 'x'.repeat(129)],
      ['password', 12345678],
      ['email', 'nobody'],
      ['email', 'a@b\r\nBcc: c@d'],
      ['username', ''],
      ['username', 'x'.repeat(101)],
      ['full_name', 5],
    ] as const) {
      const answer = await register(service, freshEmail(), { [field]: value })
      refused(answer, 422, 'invalid_input')
      assert.equal(answer.body.error.details[0].path, `/${field}`)
    }
  })

  it('takes a password of 8 characters once they are normalised, not before', async () => {
    refused(await register(service, freshEmail(), { password: 'e\u0301'.repeat(4) }), 422, 'invalid_input')
    assert.equal((await register(service, freshEmail(), { password: 'e\u0301'.repeat(8) })).status, 200)
  })

  it('answers a verified address alike and sends it word that it has an account', async () => {
    const { email } = await person(service)
    const stranger = freshEmail()
    const [known, unknown] = [await register(service, email), await register(service, stranger)]
    assert.equal(known.text.replace(email, ''), unknown.text.replace(stranger, ''))
    const mail = await letterNumber(service, 2, email)
    assert.match(mail.subject, /account already/)
    assert.equal(mail.code, null)
    assert.equal(await number(service, `SELECT count(*) FROM registrations WHERE address = '${email}'`), 0)
  })

  it('sends an address five mails an hour and answers alike beyond', async () => {
    const email = freshEmail()
    for (let i = 0; i < 7; i++) assert.equal((await register(service, email)).status, 200)
    assert.equal(await letterCount(service, email), 5)
    service.advance(HOUR_MS)
    await register(service, email)
    await letterNumber(service, 6, email)
  })

  it('counts the mails of an address however its letters are cased', async () => {
    const email = freshEmail()
    for (let i = 0; i < 4; i++) await register(service, email)
    const shouted = email.replace('person', 'PERSON')
    for (let i = 0; i < 4; i++) await register(service, shouted)
    assert.equal(await letterCount(service, email), 4)
    assert.equal(letters(service, shouted).length, 1)
  })
})

describe('POST /user/verify-otp', () => {
  it('makes the account: a key that works, 350 credits, shown once', async () => {
    const email = freshEmail()
    await register(service, email, { full_name: 'Ada Lovelace' })
    const { code } = await letterNumber(service, 1, email)
    const answer = await verify(service, email, code!)
    assert.deepEqual(Object.keys(answer.body.data), ['api_key', 'message'])
    assert.match(answer.body.data.api_key, /^qd_user_[0-9A-Za-z]{43}$/)
    const key = answer.body.data.api_key
    const profile = await service.call('/user/profile', { key })
    assert.equal(profile.body.data.credits, 350)
    assert.equal(profile.body.data.account_type, 'free')
    assert.equal(profile.body.data.full_name, 'Ada Lovelace')
    assert.equal((await compute(service, key)).headers.get('x-credits-remaining'), '349')
  })

  it('takes the address in any case and the digits with spaces', async () => {
    const email = freshEmail()
    await register(service, email)
    const { code } = await letterNumber(service, 1, email)
    const answer = await verify(service, email.toUpperCase(), `${code!.slice(0, 3)} ${code!.slice(3)}`)
    assert.equal(answer.status, 200, answer.text)
  })

  it('answers wrong, used, expired and never sent codes alike', async () => {
    const email = freshEmail()
    await register(service, email)
    const { code } = await letterNumber(service, 1, email)
    const wrong = await verify(service, email, wrongCode(code!))
    const misspelt = await verify(service, email, 'abc')
    const unknown = await verify(service, freshEmail(), '123456')
    assert.equal((await verify(service, email, code!)).status, 200)
    const used = await verify(service, email, code!)
    const late = freshEmail()
    await register(service, late)
    const { code: old } = await letterNumber(service, 1, late)
    service.advance(10 * MINUTE_MS)
    const expired = await verify(service, late, old!)
    const texts = [wrong, misspelt, unknown, used, expired].map((answer) => {
      refused(answer, 401, 'otp_invalid')
      return answer.text.replace(answer.body.error.request_id, '')
    })
    assert.equal(new Set(texts).size, 1)
  })

  it('takes a code until its tenth minute is over', async () => {
    const email = freshEmail()
    await register(service, email)
    const { code } = await letterNumber(service, 1, email)
    service.advance(10 * MINUTE_MS - 2_000)
    assert.equal((await verify(service, email, code!)).status, 200)
  })

  it('confirms the registration whose mail carried the code, and removes the others of the address', async () => {
    const email = freshEmail()
    await register(service, email, { username: 'first', password: 'the first password' })
    const first = await letterNumber(service, 1, email)
    await register(service, email, { username: 'second', password: 'the second password' })
    const second = await letterNumber(service, 2, email)
    assert.equal((await verify(service, email, first.code!)).status, 200)
    assert.equal((await login(service, email, 'the first password')).body.data.user.full_name, 'first')
    refused(await login(service, email, 'the second password'), 401, 'invalid_credentials')
    refused(await verify(service, email, second.code!), 401, 'otp_invalid')
    assert.equal(await number(service, `SELECT count(*) FROM registrations WHERE address = '${email}'`), 0)
  })

  it('makes one account of two registrations confirmed at once', async () => {
    const email = freshEmail()
    await register(service, email)
    await register(service, email)
    const codes = [await letterNumber(service, 1, email), await letterNumber(service, 2, email)]
    const answers = await Promise.all([...codes, ...codes].map(({ code }) => verify(service, email, code!)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    assert.equal(await number(service, `SELECT count(*) FROM accounts WHERE address = '${email}'`), 1)
  })

  it('writes the verification down with address of origin and request id', async () => {
    const email = freshEmail()
    await register(service, email)
    const { code } = await letterNumber(service, 1, email)
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

describe('POST /user/resend-otp', () => {
  it('renews the newest registration: its old code ends, its new one serves, the older ones keep theirs', async () => {
    const email = freshEmail()
    await register(service, email, { username: 'older' })
    await register(service, email, { username: 'newest' })
    const [older, newest] = [await letterNumber(service, 1, email), await letterNumber(service, 2, email)]
    service.advance(MINUTE_MS)
    assert.equal((await resend(email)).status, 200)
    const renewed = await letterNumber(service, 3, email)
    assert.match(renewed.source, /newest/)
    assert.match(older.source, /older/)
    refused(await verify(service, email, newest.code!), 401, 'otp_invalid')
    assert.equal((await verify(service, email, renewed.code!)).status, 200)
  })

  it('sends no second mail within 60 seconds and answers alike', async () => {
    const email = freshEmail()
    await register(service, email)
    const first = await resend(email)
    service.advance(MINUTE_MS - 3_000)
    const second = await resend(email)
    assert.equal(await letterCount(service, email), 1)
    service.advance(3_000)
    const third = await resend(email)
    await letterNumber(service, 2, email)
    assert.deepEqual([first.body, second.body], [third.body, third.body])
  })

  it('answers alike where there is nothing to resend, and sends nothing', async () => {
    const { email } = await person(service)
    service.advance(HOUR_MS)
    const [known, unknown] = [await resend(email), await resend(freshEmail())]
    assert.equal(known.status, 200)
    assert.equal(unknown.status, 200)
    assert.deepEqual(Object.keys(unknown.body.data), Object.keys(known.body.data))
    assert.equal(await letterCount(service, email), 1)
  })

  it('counts among the five mails an hour', async () => {
    const email = freshEmail()
    await register(service, email)
    for (let i = 0; i < 6; i++) {
      service.advance(MINUTE_MS)
      await resend(email)
    }
    assert.equal(await letterCount(service, email), 5)
  })

  it('brings a registration back whose code has expired', async () => {
    const email = freshEmail()
    await register(service, email)
    await letterNumber(service, 1, email)
    service.advance(30 * MINUTE_MS)
    await resend(email)
    const { code } = await letterNumber(service, 2, email)
    assert.equal((await verify(service, email, code!)).status, 200)
  })
})

describe('the limits per client address', () => {
  it('let 300 registrations an hour and 600 logins and codes in ten minutes pass', async () => {
    const limited = await startTestService()
    try {
      // A body that is refused is counted too, and costs no password hash.
      const statuses = async (path: string, many: number) => {
        const found: number[] = []
        for (let sent = 0; sent < many; sent += 51)
          found.push(
            ...(await Promise.all(
              Array.from({ length: 51 }, async () => (await limited.call(path, { body: {} })).status),
            )),
          )
        return found
      }
      const registrations = await statuses('/user/register', 306)
      assert.equal(registrations.filter((status) => status === 422).length, 300)
      assert.equal(registrations.filter((status) => status === 429).length, 6)
      const guesses = [
        ...(await statuses('/user/login', 306)),
        ...(await statuses('/user/verify-otp', 204)),
        ...(await statuses('/user/reset-password', 102)),
      ]
      assert.equal(guesses.filter((status) => status === 422).length, 600)
      const refusal = await limited.call('/user/login', { body: {} })
      refused(refusal, 429, 'too_many_attempts')
      assert.ok(Number(refusal.headers.get('retry-after')) <= 600)
      limited.advance(10 * MINUTE_MS)
      assert.equal((await limited.call('/user/login', { body: {} })).status, 422)
    } finally {
      await limited.close()
    }
  })
})
