/** Somebody registers an address that is not theirs: whoever confirms by mail gets an account that only they can enter. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { query } from '../support/database.ts'
import { freshEmail, HOUR_MS, MINUTE_MS, refused, useService, wrongCode } from '../support/people.ts'
import type { Answer } from '../support/service.ts'

// Trusts X-Forwarded-For, so that requests can come from several client addresses.
const service = await useService({ QUANTD_TRUSTED_PROXIES: '127.0.0.0/8' })

const ATTACKERS = 'the attacker knows this'
const VICTIMS = 'the victim chose this one'
const VICTIM = '192.0.2.1'
const ATTACKER = '198.51.100.1'

const from = (client: string, path: string, body: object) =>
  service.call(path, { body, headers: { 'x-forwarded-for': client } })

const attack = async (email: string, more: object = {}, client = ATTACKER) => {
  const body = { username: 'mallory', full_name: 'M', email, password: ATTACKERS, ...more }
  const answer = await from(client, '/user/register', body)
  return answer.body.data?.registration as string | undefined
}
const registers = (email: string, client = VICTIM) =>
  from(client, '/user/register', { username: 'vera', email, password: VICTIMS })
const token = (answer: Answer): string => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.registration
}
const resends = (email: string, registration?: string, client = VICTIM) =>
  from(client, '/user/resend-otp', { email, registration })
const confirms = (email: string, otp: string, registration?: string, client = VICTIM) =>
  from(client, '/user/verify-otp', { email, otp, registration })
const logsIn = (email: string, password: string, client = VICTIM) =>
  from(client, '/user/login', { email, password })

const codeOf = async (email: string, number: number) => (await service.letterNumber(number, email)).code!

/** Both passwords are refused, and a reset makes the account its owner's. */
async function hasNoPassword(email: string, confirmed: Answer): Promise<void> {
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.match(confirmed.body.data.message, /no password yet.*\/user\/forgot-password/)
  for (const password of [ATTACKERS, VICTIMS])
    refused(await logsIn(email, password), 401, 'invalid_credentials')
  const key = confirmed.body.data.api_key
  const { full_name, credits } = (await service.call('/user/profile', { key })).body.data
  assert.notEqual(full_name, 'M')
  assert.equal(credits, 350)
  const mails = await service.letterCount(email)
  await from(VICTIM, '/user/forgot-password', { email })
  const otp = await codeOf(email, mails + 1)
  const reset = await from(VICTIM, '/user/reset-password', { email, otp, password: 'one of her own' })
  assert.equal(reset.status, 200, reset.text)
  assert.equal((await logsIn(email, 'one of her own')).body.data.api_key, key)
  refused(await logsIn(email, ATTACKERS, ATTACKER), 401, 'invalid_credentials')
}

async function isTheVictims(email: string, confirmed: Answer): Promise<void> {
  assert.equal(confirmed.status, 200, confirmed.text)
  assert.doesNotMatch(confirmed.body.data.message, /password/)
  assert.equal((await logsIn(email, VICTIMS)).body.data.user.full_name, 'vera')
  refused(await logsIn(email, ATTACKERS, ATTACKER), 401, 'invalid_credentials')
}

for (const [where, attacker] of [
  ['elsewhere', ATTACKER],
  ['the victim’s own client address', VICTIM],
] as const)
  describe(`an attacker at ${where}`, () => {
    it('who registers first loses against the victim’s token, whichever mail’s code is entered', async () => {
      for (const entered of [1, 2]) {
        const email = freshEmail()
        await attack(email, {}, attacker)
        const registration = token(await registers(email))
        await isTheVictims(email, await confirms(email, await codeOf(email, entered), registration))
      }
    })

    it('who registers first gets no password set, whichever code a client without the token enters', async () => {
      for (const entered of [1, 2]) {
        const email = freshEmail()
        await attack(email, {}, attacker)
        token(await registers(email))
        await hasNoPassword(email, await confirms(email, await codeOf(email, entered)))
      }
    })

    it('who registers after the victim gets no password set', async () => {
      for (const entered of [1, 2]) {
        const email = freshEmail()
        token(await registers(email))
        await attack(email, {}, attacker)
        await hasNoPassword(email, await confirms(email, await codeOf(email, entered)))
      }
    })

    it('who registers after the victim loses against the token', async () => {
      const email = freshEmail()
      const registration = token(await registers(email))
      await attack(email, {}, attacker)
      await isTheVictims(email, await confirms(email, await codeOf(email, 2), registration))
    })

    it('who registers before the victim asks for the code again gets no password set', async () => {
      const email = freshEmail()
      token(await registers(email))
      await attack(email, {}, attacker)
      service.advance(MINUTE_MS)
      await resends(email)
      assert.match((await service.letterNumber(3, email)).source, /mallory/)
      await hasNoPassword(email, await confirms(email, await codeOf(email, 3)))
    })

    it('who registers before the victim asks again with the token does not even delay the victim', async () => {
      const email = freshEmail()
      const registration = token(await registers(email))
      await attack(email, {}, attacker)
      service.advance(MINUTE_MS)
      await resends(email, registration)
      assert.match((await service.letterNumber(3, email)).source, /vera/)
      await isTheVictims(email, await confirms(email, await codeOf(email, 3), registration))
    })

    it('who asks for the victim’s code again gets no password set, and none is lost to the token', async () => {
      for (const withToken of [false, true]) {
        const email = freshEmail()
        const registration = token(await registers(email))
        service.advance(MINUTE_MS)
        await resends(email, 'x'.repeat(43), attacker)
        const otp = await codeOf(email, 2)
        if (withToken) await isTheVictims(email, await confirms(email, otp, registration))
        else await hasNoPassword(email, await confirms(email, otp))
      }
    })

    it('whose code has expired gets no password set when the victim registers later', async () => {
      const email = freshEmail()
      await attack(email, {}, attacker)
      service.advance(HOUR_MS)
      const registration = token(await registers(email))
      refused(await confirms(email, await codeOf(email, 1), registration), 401, 'otp_invalid')
      await hasNoPassword(email, await confirms(email, await codeOf(email, 2)))
    })

    it('cannot make the victim confirm by a code that the victim’s own expiry left alone', async () => {
      const email = freshEmail()
      token(await registers(email))
      service.advance(9 * MINUTE_MS)
      await attack(email, {}, attacker)
      service.advance(2 * MINUTE_MS)
      refused(await confirms(email, await codeOf(email, 1)), 401, 'otp_invalid')
      await hasNoPassword(email, await confirms(email, await codeOf(email, 2)))
    })
  })

describe('the limit on mails', () => {
  /** Uses up the mails of an address, and then those in reserve. */
  async function useUp(email: string): Promise<void> {
    for (const client of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
      for (let i = 0; i < 4; i++) await attack(email, {}, client)
    assert.equal(await service.letterCount(email), 10)
    for (let client = 4; client < 24; client++) await attack(email, {}, `198.51.100.${client}`)
    assert.equal(await service.letterCount(email), 30)
  }

  it('is not used up by one attacker: five registrations leave the victim a mail and the account', async () => {
    const email = freshEmail()
    for (let i = 0; i < 7; i++) await attack(email)
    assert.equal(await service.letterCount(email), 5)
    const registration = token(await registers(email))
    await isTheVictims(email, await confirms(email, await codeOf(email, 6), registration))
  })

  it('leaves the victim a reserved mail and the account against two attackers', async () => {
    const email = freshEmail()
    for (const client of ['198.51.100.1', '198.51.100.2'])
      for (let i = 0; i < 6; i++) await attack(email, {}, client)
    assert.equal(await service.letterCount(email), 10)
    const registration = token(await registers(email))
    await isTheVictims(email, await confirms(email, await codeOf(email, 11), registration))
  })

  it('is reported to the victim when many attackers use it up, and the victim’s registration still counts', async () => {
    const email = freshEmail()
    await useUp(email)
    service.advance(MINUTE_MS)
    const asked = [await registers(email), await registers(email), await resends(email), await resends(email)]
    for (const answer of asked) {
      refused(answer, 429, 'too_many_attempts')
      const seconds = Number(answer.headers.get('retry-after'))
      assert.ok(seconds > 3_400 && seconds <= 3_600, String(seconds))
      assert.match(answer.body.message, /Too many mails were requested for this address/)
    }
    const kept = await query(service, `SELECT client FROM registrations WHERE address = '${email}'`)
    assert.equal(kept.filter(({ client }) => client === VICTIM).length, 1)
    await hasNoPassword(email, await confirms(email, await codeOf(email, 30)))
  })

  it('leaves the victim’s own registration, which a later request confirms', async () => {
    const email = freshEmail()
    await useUp(email)
    refused(await registers(email), 429, 'too_many_attempts')
    service.advance(HOUR_MS)
    const registration = token(await registers(email))
    await isTheVictims(email, await confirms(email, await codeOf(email, 31), registration))
  })

  it('is the same for a known address, an unknown one and one with a pending registration', async () => {
    const [known, pending, unknown] = [freshEmail(), freshEmail(), freshEmail()]
    const registration = token(await registers(known))
    await isTheVictims(known, await confirms(known, await codeOf(known, 1), registration))
    token(await registers(pending))
    for (const email of [known, pending]) await attack(email)
    const shapes: string[][] = []
    for (const email of [known, pending]) {
      const seen: string[] = []
      for (let i = 0; i < 7; i++) {
        service.advance(MINUTE_MS)
        const { body, status } = await resends(email, undefined, ATTACKER)
        seen.push(`${status} ${body.error?.code}`)
      }
      shapes.push(seen)
    }
    assert.equal(shapes[0].filter((shape) => shape === '429 too_many_attempts').length, 3)
    assert.deepEqual(shapes[0], shapes[1])
    for (let i = 0; i < 8; i++) {
      service.advance(MINUTE_MS)
      const { status } = await resends(unknown, undefined, ATTACKER)
      assert.equal(status, i < 5 ? 200 : 429)
    }
  })
})

describe('a person who never registered', () => {
  it('and enters the code of an attacker’s mail gets an account that the attacker cannot enter', async () => {
    const email = freshEmail()
    const guest = await service.guest()
    await attack(email, { guest_api_key: guest })
    const mail = await service.letterNumber(1, email)
    const text = mail.source.replace(/=\r\n/g, '').replace(/\s+/g, ' ')
    assert.match(text, /Whoever enters this code confirms the account with the username .{0,12}mallory/)
    assert.match(text, /If you did not register with this username, ignore this mail/)
    await hasNoPassword(email, await confirms(email, mail.code!))
    const { status } = await service.call('/user/credits', { key: guest })
    assert.equal(status, 200, 'the guest key was not taken over')
  })
})

describe('the attacker’s own token', () => {
  it('confirms nothing without a mailed code, and nothing after the victim has confirmed', async () => {
    const email = freshEmail()
    const attackers = await attack(email)
    const registration = token(await registers(email))
    const [own, otp] = [await codeOf(email, 1), await codeOf(email, 2)]
    const wrong = [1, 2].map((offset) => wrongCode(otp, offset)).find((code) => code !== own)!
    refused(await confirms(email, wrong, attackers, ATTACKER), 401, 'otp_invalid')
    await isTheVictims(email, await confirms(email, otp, registration))
    for (const code of [otp, own])
      refused(await confirms(email, code, attackers, ATTACKER), 401, 'otp_invalid')
    service.advance(MINUTE_MS)
    const mails = service.letters(email).length
    assert.equal((await resends(email, attackers, ATTACKER)).status, 200)
    assert.equal(await service.letterCount(email), mails)
  })
})

describe('confirmations at once', () => {
  it('make one account, of the victim or without a password, while the attacker asks for codes', async () => {
    for (let round = 0; round < 3; round++) {
      const email = freshEmail()
      await attack(email)
      const registration = token(await registers(email))
      const codes = [await codeOf(email, 1), await codeOf(email, 2)]
      const answers = await Promise.all([
        ...codes.flatMap((code) => [confirms(email, code, registration), confirms(email, code)]),
        attack(email).then(() => null),
        resends(email, undefined, ATTACKER).then(() => null),
      ])
      const made = answers.filter((answer) => answer?.status === 200)
      assert.equal(made.length, 1)
      const [confirmed] = made
      if (/no password/.test(confirmed!.body.data.message)) await hasNoPassword(email, confirmed!)
      else await isTheVictims(email, confirmed!)
      assert.deepEqual(await query(service, `SELECT uid FROM registrations WHERE address = '${email}'`), [])
    }
  })
})

describe('a client that knows only the specification', () => {
  it('keeps its password when it registers and confirms from one address, IPv6 from one /64', async () => {
    for (const [registering, confirming] of [
      [VICTIM, VICTIM],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'],
    ] as const) {
      const email = freshEmail()
      token(await registers(email, registering))
      await isTheVictims(email, await confirms(email, await codeOf(email, 1), undefined, confirming))
    }
  })

  it('gets an account without a password when it confirms from another address', async () => {
    for (const [registering, confirming] of [
      ['192.0.2.9', VICTIM],
      ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ] as const) {
      const email = freshEmail()
      token(await registers(email, registering))
      await hasNoPassword(email, await confirms(email, await codeOf(email, 1), undefined, confirming))
    }
  })
})
