/** Without the master key a copy of the database reveals no key, code, password, secret or mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everything } from '../support/database.ts'
import { freshEmail, oneTimeCode, PASSWORD, useService } from '../support/people.ts'

test('a copy of the database holds no usable key, code, password, second factor or mail text', async () => {
  const service = await useService()
  const guest = await service.guest()
  const ada = await service.person()
  const pending = freshEmail()
  await service.register(pending, { guest_api_key: guest })
  await service.letterNumber(1, pending)
  await service.compute(ada.key)
  await service.forgotPassword(ada.email)
  await service.letterNumber(2, ada.email)
  const { secret } = (await service.setUpSecondFactor(ada.key)).body.data
  const enabled = await service.enableSecondFactor(ada.key, oneTimeCode(secret))
  const { recovery_codes } = enabled.body.data
  const { body } = await service.regenerate(ada.key, { mfa_code: recovery_codes[0] })

  const copy = await everything(service)
  assert.ok(copy.includes(ada.email), 'the copy is one of this database')
  const mailedCodes = service.letters().flatMap(({ code }) => (code === null ? [] : [code]))
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
})
