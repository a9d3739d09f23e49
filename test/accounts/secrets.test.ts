/** Without the master key a copy of the database reveals no key, code, password, secret or mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { everything } from '../support/database.ts'
import {
  compute,
  freshEmail,
  letterNumber,
  letters,
  PASSWORD,
  person,
  register,
  startWithoutIpLimits,
} from '../support/people.ts'

test('a copy of the database holds no usable key, code, password, second factor or mail text', async () => {
  const service = await startWithoutIpLimits()
  try {
    const guest = await service.guest()
    const ada = await person(service)
    const pending = freshEmail()
    await register(service, pending, { guest_api_key: guest })
    await letterNumber(service, 1, pending)
    await compute(service, ada.key)
    await service.call('/user/forgot-password', { body: { email: ada.email } })
    await letterNumber(service, 2, ada.email)
    const { secret } = (await service.call('/user/mfa/setup', { key: ada.key, body: { password: PASSWORD } }))
      .body.data
    const code = TOTP.generate({ secret: Secret.fromBase32(secret) })
    const { recovery_codes } = (await service.call('/user/mfa/enable', { key: ada.key, body: { code } })).body
      .data
    const { body } = await service.call('/user/regenerate-api-key', {
      key: ada.key,
      body: { mfa_code: recovery_codes[0] },
    })

    const copy = await everything(service)
    assert.ok(copy.includes(ada.email), 'the copy is one of this database')
    const mailedCodes = letters(service).flatMap(({ code }) => (code === null ? [] : [code]))
    assert.equal(mailedCodes.length, 3)
    const secrets = [
      ...[guest, ada.key, body.data.api_key, PASSWORD, secret],
      ...recovery_codes,
      ...recovery_codes.map((recovery: string) => recovery.replaceAll('-', '')),
      // Six digits alone may stand in any number: they are looked for as a value.
      ...mailedCodes.filter((mailed) => mailed.length > 6),
      ...mailedCodes.map((mailed) => `\n${mailed}\n`),
      'The code is',
    ]
    for (const value of secrets) assert.ok(!copy.includes(value), `the copy tells ${value}`)
  } finally {
    await service.close()
  }
})
