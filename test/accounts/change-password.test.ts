/** A new password in exchange for the current one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MINUTE_MS, NEW_PASSWORD, PASSWORD, refused, useService } from '../support/people.ts'

const service = await useService()

const change = (key: string, password: string) =>
  service.call('/user/change-password', { key, body: { password, new_password: NEW_PASSWORD } })

describe('POST /user/change-password', () => {
  it('sets a new password for a caller who knows the present one, and mails the owner', async () => {
    const { email, key } = await service.person()
    refused(await change(key, 'not the password'), 401, 'invalid_credentials')
    assert.equal((await change(key, PASSWORD)).status, 200)
    refused(await service.login(email, PASSWORD), 401, 'invalid_credentials')
    assert.equal((await service.login(email, NEW_PASSWORD)).status, 200)
    assert.equal((await service.compute(key)).status, 200)
    assert.match((await service.letterNumber(2, email)).subject, /password was changed/)
  })

  it('makes an unused reset code invalid', async () => {
    const { code, email, key } = await service.forgetfulPerson()
    assert.equal((await change(key, PASSWORD)).status, 200)
    refused(await service.resetPassword(email, code, 'the stranger’s password'), 401, 'otp_invalid')
  })

  it('shares its limit with login: ten wrong passwords in 15 minutes, then 429', async () => {
    const { email, key } = await service.person()
    for (let i = 0; i < 5; i++) refused(await change(key, `wrong ${i}`), 401, 'invalid_credentials')
    for (let i = 0; i < 5; i++) refused(await service.login(email, `wrong ${i}`), 401, 'invalid_credentials')
    refused(await change(key, PASSWORD), 429, 'too_many_attempts')
    service.advance(15 * MINUTE_MS)
    assert.equal((await change(key, PASSWORD)).status, 200)
  })

  it('is not for guests', async () => {
    refused(await change(await service.guest(), PASSWORD), 403, 'guest_forbidden')
  })
})
