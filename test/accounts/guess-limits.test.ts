/** Guessing: of a hundred parallel tries no more are evaluated than the limit says, known address or not. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { number } from '../support/database.ts'
import {
  count,
  freshEmail,
  HOUR_MS,
  MINUTE_MS,
  oneTimeCode,
  PASSWORD,
  refused,
  times,
  useService,
  wrongCode,
} from '../support/people.ts'
import type { Answer } from '../support/service.ts'

// Believes X-Forwarded-For, so that a test can come from many addresses.
const service = await useService({ QUANTD_TRUSTED_PROXIES: '127.0.0.0/8' })

const GUESSES = 100
const attempts = (email: string) =>
  number(service, `SELECT max(code_attempts) FROM registrations WHERE address = '${email}'`)

function evaluated(answers: readonly Answer[], code: string): number {
  for (const answer of answers)
    if (answer.status === 429) {
      assert.equal(answer.body.error.code, 'too_many_attempts')
      const wait = Number(answer.headers.get('retry-after'))
      assert.ok(wait > 0 && wait <= 3600, `Retry-After ${wait}`)
    } else refused(answer, 401, code)
  return count(answers, 401)
}

async function registered() {
  const email = freshEmail()
  await service.register(email)
  return { email, code: (await service.letterNumber(1, email)).code! }
}

describe('one-time codes', () => {
  it('are compared five times each and twenty times an hour, of a hundred guesses at once', async () => {
    const { code, email } = await registered()
    const answers = await times(GUESSES, (i) => service.verify(email, wrongCode(code, i + 1)))
    assert.equal(evaluated(answers, 'otp_invalid'), 20)
    assert.equal(await attempts(email), 5)
    refused(await service.verify(email, code), 429, 'too_many_attempts')
  })

  it('end with their fifth wrong guess: the right one then answers as a wrong one does', async () => {
    const { code, email } = await registered()
    for (let i = 1; i <= 5; i++) refused(await service.verify(email, wrongCode(code, i)), 401, 'otp_invalid')
    refused(await service.verify(email, code), 401, 'otp_invalid')
    service.advance(MINUTE_MS)
    await service.resend(email)
    const { code: renewed } = await service.letterNumber(2, email)
    assert.equal((await service.verify(email, renewed!)).status, 200)
  })

  it('are accepted on the fifth guess', async () => {
    const { code, email } = await registered()
    for (let i = 1; i <= 4; i++) await service.verify(email, wrongCode(code, i))
    assert.equal((await service.verify(email, code)).status, 200)
  })

  it('share twenty wrong guesses an hour, however many codes there are, until the hour is over', async () => {
    const { email } = await registered()
    for (let codes = 0; codes < 4; codes++) {
      const { code } = await service.letterNumber(codes + 1, email)
      for (let i = 1; i <= 5; i++)
        refused(await service.verify(email, wrongCode(code!, i)), 401, 'otp_invalid')
      service.advance(MINUTE_MS)
      await service.resend(email)
    }
    const { code } = await service.letterNumber(5, email)
    refused(await service.verify(email, code!), 429, 'too_many_attempts')
    service.advance(HOUR_MS)
    await service.resend(email)
    const { code: later } = await service.letterNumber(6, email)
    assert.equal((await service.verify(email, later!)).status, 200)
  })

  it('are counted for an address that nobody has registered, however it is cased', async () => {
    const email = freshEmail()
    const answers = await times(GUESSES, (i) => service.verify(i % 2 ? email : email.toUpperCase(), '123456'))
    assert.equal(evaluated(answers, 'otp_invalid'), 20)
  })

  it('that reset passwords are compared twenty times an hour for an address and a client', async () => {
    const { email } = await service.person()
    await service.forgotPassword(email)
    const { code } = await service.letterNumber(2, email)
    const answers = await times(GUESSES, () => service.resetPassword(email, 'AAAAAAAAAAAA'))
    assert.equal(evaluated(answers, 'otp_invalid'), 20)
    const used = await number(
      service,
      `SELECT code_attempts FROM password_resets r JOIN accounts a ON a.id = r.account_id WHERE a.address = '${email}'`,
    )
    assert.equal(used, 20)
    refused(await service.resetPassword(email, code!), 429, 'too_many_attempts')
    assert.equal(
      evaluated(await times(30, () => service.resetPassword(freshEmail(), 'AAAAAAAAAAAA')), 'otp_invalid'),
      30,
      'other addresses are not touched',
    )
  })
})

describe('passwords', () => {
  it('are compared ten times in 15 minutes for an address and a client, of a hundred guesses at once', async () => {
    const { email } = await service.person()
    const answers = await times(GUESSES, (i) => service.login(email, `wrong ${i}`))
    assert.equal(evaluated(answers, 'invalid_credentials'), 10)
    refused(await service.login(email), 429, 'too_many_attempts')
    const elsewhere = { 'x-forwarded-for': '192.0.2.7' }
    const body = { email, password: PASSWORD }
    assert.equal((await service.call('/user/login', { body, headers: elsewhere })).status, 200)
    service.advance(15 * MINUTE_MS)
    assert.equal((await service.login(email)).status, 200)
  })

  it('are compared a hundred times an hour for an address, from however many clients', async () => {
    const { email } = await service.person()
    const from = (client: number, password: string) =>
      service.call('/user/login', {
        body: { email, password },
        headers: { 'x-forwarded-for': `192.0.2.${client}` },
      })
    const answers = (await times(12, (client) => times(10, (i) => from(client, `wrong ${i}`)))).flat()
    assert.equal(evaluated(answers, 'invalid_credentials'), 100)
    refused(await from(200, PASSWORD), 429, 'too_many_attempts')
    service.advance(HOUR_MS)
    assert.equal((await from(200, PASSWORD)).status, 200)
  })

  it('are counted for an unknown address as for a known one', async () => {
    const email = freshEmail()
    const answers = await times(30, (i) => service.login(email, `wrong ${i}`))
    assert.equal(evaluated(answers, 'invalid_credentials'), 10)
  })

  it('that are right do not use the limit up, and do not wipe out wrong ones', async () => {
    const { email } = await service.person()
    for (let i = 0; i < 9; i++) await service.login(email, `wrong ${i}`)
    for (let i = 0; i < 3; i++) assert.equal((await service.login(email)).status, 200)
    refused(await service.login(email, 'wrong 9'), 401, 'invalid_credentials')
    refused(await service.login(email), 429, 'too_many_attempts')
  })
})

describe('second factors', () => {
  it('are compared ten times of each kind in 15 minutes, of a hundred guesses at once', async () => {
    const { email, key } = await service.person()
    const { secret } = (await service.setUpSecondFactor(key)).body.data
    const skewMs =
      Date.parse((await service.call('/user/profile', { key })).body.data.created_at) - Date.now()
    const code = oneTimeCode(secret, skewMs)
    const on = await service.enableSecondFactor(key, code)
    assert.equal(on.status, 200, on.text)
    const wrong = (i: number) => `AAAA-AAAA-AA${i % 7 ? 'AA' : 'BB'}`
    for (const codeOf of [() => code, wrong]) {
      const guesses = await times(GUESSES, (i) =>
        i % 2
          ? service.disableSecondFactor(key, codeOf(i))
          : service.login(email, PASSWORD, { mfa_code: codeOf(i) }),
      )
      assert.equal(evaluated(guesses, 'mfa_invalid'), 10)
    }
    const [recovery] = on.body.data.recovery_codes
    refused(await service.login(email, PASSWORD, { mfa_code: recovery }), 429, 'too_many_attempts')
  })
})
