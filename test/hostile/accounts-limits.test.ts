/** Limits that strangers use up, and addresses in other spellings: neither opens a way around, nor shuts the owner out. */
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
import { type Answer, closedAfter, startTestService } from '../support/service.ts'

const service = await useService({ QUANTD_TRUSTED_PROXIES: '127.0.0.0/8' })
const limited = closedAfter(await startTestService({ QUANTD_TRUSTED_PROXIES: '127.0.0.0/8' }))

const from = (client: string, path: string, body: object) =>
  service.call(path, { body, headers: { 'x-forwarded-for': client } })
const registers = (email: string, client = '192.0.2.1') =>
  from(client, '/user/register', { username: 'ada', email, password: PASSWORD })

describe('one mailbox', () => {
  it('is one address however its domain is spelt, and shares one limit on mails', async () => {
    const name = freshEmail().split('@')[0]
    const spellings = ['ｖictim.org', 'victim.org', 'VICTIM.org.', 'victim。org', 'Victim.ORG..']
    const statuses: number[] = []
    for (const domain of [...spellings, ...spellings])
      statuses.push((await registers(`${name}@${domain}`)).status)
    assert.deepEqual(statuses, [...Array(5).fill(200), ...Array(5).fill(429)])
    const mails = service.letters().filter(({ to }) => to.startsWith(`${name}@`))
    await service.letterCount(`${name}@victim.org`)
    assert.ok(mails.every(({ to }) => to === `${name}@victim.org`))
    const found = `SELECT count(DISTINCT address) FROM registrations WHERE address LIKE '${name}@%'`
    assert.equal(await number(service, found), 1)
  })

  it('has one account, whatever spelling confirms it and logs in', async () => {
    const name = freshEmail().split('@')[0]
    await registers(`${name}@bücher.example`)
    const { code: otp } = await service.letterNumber(1, `${name}@xn--bcher-kva.example`)
    const verified = await from('192.0.2.1', '/user/verify-otp', {
      email: `${name}@xn--bcher-kva.example`,
      otp,
    })
    assert.equal(verified.status, 200, verified.text)
    const login = { email: `${name.toUpperCase()}@BÜCHER.example.`, password: PASSWORD }
    assert.equal((await from('192.0.2.1', '/user/login', login)).status, 200)
  })

  it('shares its limit on mails among its +tags, which stay different accounts', async () => {
    const name = freshEmail().split('@')[0]
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(await registers(`${name}+${i}@example.org`))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429],
    )
    const { code } = await service.letterNumber(1, `${name}+0@example.org`)
    const confirm = { email: `${name}+0@example.org`, otp: code }
    assert.equal((await from('192.0.2.1', '/user/verify-otp', confirm)).status, 200)
    const other = { email: `${name}+1@example.org`, password: PASSWORD }
    refused(await from('192.0.2.1', '/user/login', other), 401, 'invalid_credentials')
  })
})

describe('one client address', () => {
  // A body that is refused is counted too, and costs no password hash.
  const send = (path: string, client: string) =>
    limited.call(path, { body: {}, headers: { 'x-forwarded-for': client } })

  it('causes at most 300 mails an hour, whatever endpoint sends them', async () => {
    const paths = ['/user/register', '/user/resend-otp', '/user/forgot-password']
    const answers = await times(330, (i) => send(paths[i % 3], `2001:db8::${(i % 9) + 1}`))
    assert.equal(count(answers, 422), 300)
    refused(await send(paths[2], '2001:db8:0:0:ffff::1'), 429, 'too_many_attempts')
    assert.equal((await send(paths[2], '2001:db8:0:1::1')).status, 422)
  })

  it('tries at most 600 logins and codes in ten minutes', async () => {
    const paths = ['/user/login', '/user/verify-otp', '/user/reset-password']
    const answers = await times(612, (i) => send(paths[i % 3], '192.0.2.1'))
    assert.equal(count(answers, 422), 600)
    const refusal = await send('/user/login', '192.0.2.1')
    refused(refusal, 429, 'too_many_attempts')
    assert.ok(Number(refusal.headers.get('retry-after')) <= 600)
    limited.advance(10 * MINUTE_MS)
    assert.equal((await send('/user/login', '192.0.2.1')).status, 422)
  })
})

describe('an owner whom guesses from elsewhere lock out', () => {
  it('resets the password by mail and logs in at once from there, while the guessing goes on', async () => {
    const { email, key } = await service.person()
    const guess = (client: number, i: number) =>
      from(`198.51.100.${client}`, '/user/login', { email, password: `wrong ${i}` })
    for (let client = 0; client < 11; client++) await times(10, (i) => guess(client, i))
    refused(await from('192.0.2.1', '/user/login', { email, password: PASSWORD }), 429, 'too_many_attempts')
    // Guesses at reset codes from elsewhere do not shut this way.
    await from('192.0.2.1', '/user/forgot-password', { email })
    const { code } = await service.letterNumber(2, email)
    for (let client = 0; client < 4; client++)
      await times(22, () =>
        from(`198.51.100.${client}`, '/user/reset-password', {
          email,
          otp: 'AAAAAAAAAAAA',
          password: PASSWORD,
        }),
      )
    const reset = { email, otp: code, password: 'a new password' }
    assert.equal((await from('192.0.2.1', '/user/reset-password', reset)).status, 200)
    const login = { email, password: 'a new password' }
    assert.equal((await from('192.0.2.1', '/user/login', login)).body.data.api_key, key)
    refused(await from('192.0.2.99', '/user/login', login), 429, 'too_many_attempts')
    const own = await times(30, (i) => from('192.0.2.1', '/user/login', { email, password: `wrong ${i}` }))
    assert.equal(own.filter(({ status }) => status === 401).length, 10, 'its own limit holds')
  })
})

describe('somebody who registers while a stranger uses up the guesses at codes of the address', () => {
  const guesses = (email: string, registration?: string) =>
    times(30, () => from('198.51.100.1', '/user/verify-otp', { email, otp: 'x', registration }))

  it('confirms with the token of the registration and a fresh code, which still has five attempts', async () => {
    const email = freshEmail()
    const { registration } = (await registers(email)).body.data
    const other = (await registers(email, '198.51.100.1')).body.data.registration
    assert.equal(count(await guesses(email), 401), 20)
    service.advance(MINUTE_MS)
    await from('192.0.2.1', '/user/resend-otp', { email, registration })
    const { code: otp } = await service.letterNumber(3, email)
    assert.equal(count(await guesses(email), 429), 30)
    assert.equal(count(await guesses(email, other), 429), 30, 'its code had its five attempts')
    refused(await from('192.0.2.1', '/user/verify-otp', { email, otp }), 429, 'too_many_attempts')
    const wrong = await times(4, () =>
      from('192.0.2.1', '/user/verify-otp', { email, otp: wrongCode(otp!), registration }),
    )
    assert.equal(count(wrong, 401), 4)
    const answer = await from('192.0.2.1', '/user/verify-otp', { email, otp, registration })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await from('192.0.2.1', '/user/login', { email, password: PASSWORD })).status, 200)
  })
})

describe('an owner whose key was stolen', () => {
  it('replaces it with a recovery code, while the thief uses up the guesses at codes of the app', async () => {
    const { email, key } = await service.person()
    const { secret } = (await service.setUpSecondFactor(key)).body.data
    const created = Date.parse((await service.call('/user/profile', { key })).body.data.created_at)
    const on = await service.enableSecondFactor(key, oneTimeCode(secret, created - Date.now()))
    const [recovery, next] = on.body.data.recovery_codes
    const replace = (client: string, code: string) =>
      service.call('/user/regenerate-api-key', {
        key,
        body: { mfa_code: code },
        headers: { 'x-forwarded-for': client },
      })
    const thief = '198.51.100.1'
    const wrong = { app: '000000', paper: 'AAAA-AAAA-AAAA' }
    assert.equal(count(await times(30, () => replace(thief, wrong.app)), 401), 10)
    assert.equal(count(await times(30, () => replace(thief, wrong.paper)), 401), 10)
    const owner = '192.0.2.1'
    refused(await replace(owner, oneTimeCode(secret)), 429, 'too_many_attempts')
    const replaced = await replace(owner, recovery)
    assert.equal(replaced.status, 200, replaced.text)
    refused(await service.compute(key), 401, 'api_key_invalid')
    const login = { email, password: PASSWORD, mfa_code: next }
    assert.equal((await from(owner, '/user/login', login)).status, 200)
    refused(await from(thief, '/user/login', login), 429, 'too_many_attempts')
  })
})

describe('an owner whose mails strangers use up', () => {
  const strangers = Array.from({ length: 10 }, (_, index) => `198.51.100.${index + 1}`)
  const forgets = (email: string, client: string) => from(client, '/user/forgot-password', { email })

  /** Asks for as many mails as the limits allow, from each address in turn; returns how many there were. */
  async function useUp(ask: (client: string) => Promise<Answer>): Promise<number> {
    let granted = 0
    for (const client of strangers)
      while ((await ask(client)).status === 200) {
        granted++
        service.advance(MINUTE_MS)
      }
    return granted
  }

  it('resets the password from a fresh address and logs in at once, after wrong passwords too', async () => {
    const { email, key } = await service.person()
    const granted = await useUp((client) => forgets(email, client))
    assert.equal(granted, 18, '5 for each of two, one for each of the others')
    for (const client of strangers)
      await times(10, (i) => from(client, '/user/login', { email, password: `wrong ${i}` }))
    const owner = '192.0.2.1'
    refused(await from(owner, '/user/login', { email, password: PASSWORD }), 429, 'too_many_attempts')
    const mails = service.letters(email).length
    assert.equal((await forgets(email, owner)).status, 200)
    const { code } = await service.letterNumber(mails + 1, email)
    const password = 'a new password'
    assert.equal((await from(owner, '/user/reset-password', { email, otp: code, password })).status, 200)
    assert.equal((await from(owner, '/user/login', { email, password })).body.data.api_key, key)
  })

  it('registers from a fresh address', async () => {
    const email = freshEmail()
    assert.equal(await useUp((client) => registers(email, client)), 18)
    const mails = service.letters(email).length
    assert.equal((await registers(email, '192.0.2.1')).status, 200)
    const { code: otp } = await service.letterNumber(mails + 1, email)
    assert.ok(otp)
  })

  it('cannot be told from an address without an account, and gets at most 30 mails an hour', async () => {
    const asked = async (email: string) => {
      const statuses: number[] = []
      for (let client = 1; client <= 40; client++) {
        statuses.push((await forgets(email, `203.0.113.${client}`)).status)
        if (statuses.at(-1) === 200) service.advance(MINUTE_MS)
      }
      return statuses
    }
    const { email } = await service.person()
    const mails = service.letters(email).length
    const expected = [...Array(30).fill(200), ...Array(10).fill(429)]
    assert.deepEqual(await asked(email), expected)
    assert.equal(await service.letterCount(email), mails + 30)
    assert.deepEqual(await asked(freshEmail()), expected)
  })
})

describe('a key that is replaced again and again', () => {
  it('causes one notice an hour', async () => {
    const { email, key } = await service.person()
    let present = key
    for (let i = 0; i < 6; i++) {
      const answer = await service.call('/user/regenerate-api-key', { method: 'POST', key: present })
      assert.equal(answer.status, 200, answer.text)
      present = answer.body.data.api_key
    }
    assert.equal((await service.compute(present)).status, 200)
    assert.equal(await service.letterCount(email), 2)
    service.advance(HOUR_MS + MINUTE_MS)
    await service.call('/user/regenerate-api-key', { method: 'POST', key: present })
    assert.equal(await service.letterCount(email), 3)
  })
})
