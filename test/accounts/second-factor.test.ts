/** The second factor: set up, demanded, used once, recovered, switched off. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findAccount } from '../../src/accounts/account.ts'
import { offerTotp } from '../../src/accounts/mfa.ts'
import { uuidv7 } from '../../src/base/ids.ts'
import { number } from '../support/database.ts'
import { count, oneTimeCode, PASSWORD, type Person, refused, times, useService } from '../support/people.ts'

const STEP_MS = 30_000

const service = await useService()
let offsetMs = 0

const advance = (ms: number) => {
  offsetMs += ms
  service.advance(ms)
}
/** The code that the authenticator app shows, this many steps from now. */
const shown = (secret: string, steps = 0): string => oneTimeCode(secret, offsetMs + steps * STEP_MS)
const wrong = (secret: string): string => {
  const right = [-2, -1, 0, 1, 2].map((steps) => shown(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!
}

const enabled = async (key: string): Promise<boolean> =>
  (await service.call('/user/profile', { key })).body.data.mfa_enabled

/** A person with the second factor on, at the beginning of a later step, so that a test ends before the next one. */
async function guarded(): Promise<Person & { secret: string; codes: string[] }> {
  const someone = await service.person()
  const { secret } = (await service.setUpSecondFactor(someone.key)).body.data
  const { recovery_codes: codes } = (await service.enableSecondFactor(someone.key, shown(secret))).body.data
  advance(STEP_MS - ((Date.now() + offsetMs) % STEP_MS))
  return { ...someone, secret, codes }
}

describe('setting a second factor up', () => {
  it('takes the password, gives a secret and its address, and changes nothing until a code is confirmed', async () => {
    const { email, key } = await service.person()
    refused(await service.setUpSecondFactor(key, 'not the password'), 401, 'invalid_credentials')
    const { body } = await service.setUpSecondFactor(key)
    assert.deepEqual(Object.keys(body.data), ['secret', 'otpauth_url'])
    assert.match(body.data.secret, /^[A-Z2-7]{32}$/)
    const url = new URL(body.data.otpauth_url)
    assert.equal(url.searchParams.get('secret'), body.data.secret)
    assert.equal(url.searchParams.get('issuer'), 'quantd')
    assert.equal(await enabled(key), false)
    assert.equal((await service.login(email)).status, 200)
  })

  it('is switched on by a right code, with ten recovery codes and a mail', async () => {
    const { email, key } = await service.person()
    const { secret } = (await service.setUpSecondFactor(key)).body.data
    refused(await service.enableSecondFactor(key, wrong(secret)), 401, 'mfa_invalid')
    const { body } = await service.enableSecondFactor(key, shown(secret))
    assert.equal(body.data.recovery_codes.length, 10)
    assert.equal(new Set(body.data.recovery_codes).size, 10)
    assert.equal(await enabled(key), true)
    assert.match((await service.letterNumber(2, email)).subject, /second factor is on/)
  })

  it('replaces a secret whose first code never came', async () => {
    const { key } = await service.person()
    const first = (await service.setUpSecondFactor(key)).body.data.secret
    const second = (await service.setUpSecondFactor(key)).body.data.secret
    refused(await service.enableSecondFactor(key, shown(first)), 401, 'mfa_invalid')
    assert.equal((await service.enableSecondFactor(key, shown(second))).status, 200)
  })

  it('conflicts with what is there: no secret to confirm, or one that is on', async () => {
    const { key } = await service.person()
    refused(await service.enableSecondFactor(key, '123456'), 409, 'conflict')
    refused(await service.disableSecondFactor(key, '123456'), 409, 'conflict')
    const { secret } = (await service.setUpSecondFactor(key)).body.data
    await service.enableSecondFactor(key, shown(secret))
    refused(await service.setUpSecondFactor(key), 409, 'conflict')
    refused(await service.enableSecondFactor(key, shown(secret)), 409, 'conflict')
  })

  it('leaves no secret in an account that is deleted meanwhile', async () => {
    const { email, key, password } = await service.person()
    const account = await service.store.run(findAccount, { address: email })
    assert.equal((await service.call('/user/delete', { key, body: { password } })).status, 200)
    const { accountId } = account!
    const secret = { masterKeyId: '', sealed: Buffer.from('secret') }
    const event = { auditId: uuidv7(), ip: '', method: '', path: '', requestId: '' }
    assert.equal(await service.store.run(offerTotp, { accountId, secret, event }), false)
    const left = `SELECT count(*) FROM accounts WHERE id = ${accountId} AND totp_sealed IS NOT NULL`
    assert.equal(await number(service, left), 0)
  })

  it('is not for guests', async () => {
    const key = await service.guest()
    for (const answer of [
      await service.setUpSecondFactor(key),
      await service.enableSecondFactor(key, '123456'),
      await service.disableSecondFactor(key, '123456'),
    ])
      refused(answer, 403, 'guest_forbidden')
  })
})

describe('with a second factor on', () => {
  it('login asks for the code, after the right password only', async () => {
    const { email, key, secret } = await guarded()
    refused(await service.login(email, 'wrong', { mfa_code: shown(secret) }), 401, 'invalid_credentials')
    refused(await service.login(email), 401, 'mfa_required')
    refused(await service.login(email, PASSWORD, { mfa_code: wrong(secret) }), 401, 'mfa_invalid')
    const answer = await service.login(email, PASSWORD, { mfa_code: shown(secret) })
    assert.equal(answer.body.data.api_key, key)
  })

  it('regeneration asks for it too', async () => {
    const { key, secret } = await guarded()
    const regenerate = (body?: object) => service.regenerate(key, body)
    refused(await regenerate(), 401, 'mfa_required')
    refused(await regenerate({ mfa_code: wrong(secret) }), 401, 'mfa_invalid')
    assert.equal((await regenerate({ mfa_code: shown(secret) })).status, 200)
  })

  it('a change of the password asks for it too, after the right password only', async () => {
    const { email, key, secret } = await guarded()
    const change = (password: string, more: object = {}) =>
      service.call('/user/change-password', {
        key,
        body: { password, new_password: 'a new password', ...more },
      })
    refused(await change('not the password', { mfa_code: shown(secret) }), 401, 'invalid_credentials')
    refused(await change(PASSWORD), 401, 'mfa_required')
    refused(await change(PASSWORD, { mfa_code: wrong(secret) }), 401, 'mfa_invalid')
    assert.equal((await change(PASSWORD, { mfa_code: shown(secret) })).status, 200)
    refused(await service.login(email), 401, 'invalid_credentials')
  })

  it('a code is taken one step early or late, not two, and serves once', async () => {
    const { email, secret } = await guarded()
    const enter = (code: string) => service.login(email, PASSWORD, { mfa_code: code })
    advance(4 * STEP_MS)
    refused(await enter(shown(secret, -2)), 401, 'mfa_invalid')
    refused(await enter(shown(secret, 2)), 401, 'mfa_invalid')
    assert.equal((await enter(shown(secret, -1))).status, 200)
    assert.equal((await enter(shown(secret, 1))).status, 200)
    refused(await enter(shown(secret, 1)), 401, 'mfa_invalid')
    // An earlier step than the last one taken is over too.
    refused(await enter(shown(secret)), 401, 'mfa_invalid')
  })

  it('one of many logins with the same code passes', async () => {
    const { email, secret } = await guarded()
    const code = shown(secret)
    const answers = await times(8, () => service.login(email, PASSWORD, { mfa_code: code }))
    assert.equal(count(answers, 200), 1)
    assert.equal(count(answers, 401), 7)
  })

  it('a recovery code serves wherever a code does, once, in any spelling', async () => {
    const { codes, email, key } = await guarded()
    const [first, second, third] = codes as [string, string, string]
    const spelt = first.toLowerCase().replaceAll('-', ' ')
    assert.equal((await service.login(email, PASSWORD, { mfa_code: spelt })).status, 200)
    refused(await service.login(email, PASSWORD, { mfa_code: first }), 401, 'mfa_invalid')
    const regenerated = await service.call('/user/regenerate-api-key', { key, body: { mfa_code: second } })
    assert.equal(regenerated.status, 200, regenerated.text)
    const off = await service.disableSecondFactor(regenerated.body.data.api_key, third)
    assert.deepEqual(off.body.data, { mfa_enabled: false })
    assert.equal((await service.login(email)).status, 200)
  })

  it('one of many logins with the same recovery code passes', async () => {
    const { codes, email } = await guarded()
    const answers = await times(8, () => service.login(email, PASSWORD, { mfa_code: codes[0] }))
    assert.equal(count(answers, 200), 1)
  })

  it('switching it off takes a code, tells by mail, and forgets secret and recovery codes', async () => {
    const { email, key, secret } = await guarded()
    refused(await service.disableSecondFactor(key, wrong(secret)), 401, 'mfa_invalid')
    assert.equal((await service.disableSecondFactor(key, shown(secret))).status, 200)
    assert.equal(await enabled(key), false)
    assert.match((await service.letterNumber(3, email)).subject, /second factor is off/)
    const left = await number(
      service,
      `SELECT count(*) FROM recovery_codes c JOIN accounts a ON a.id = c.account_id WHERE a.address = '${email}'`,
    )
    assert.equal(left, 0)
    assert.equal((await service.setUpSecondFactor(key)).status, 200)
  })

  it('right codes do not use the limit up', async () => {
    const { email, secret } = await guarded()
    for (let i = 0; i < 12; i++) {
      advance(STEP_MS)
      const answer = await service.login(email, PASSWORD, { mfa_code: shown(secret) })
      assert.equal(answer.status, 200, answer.text)
    }
  })
})
