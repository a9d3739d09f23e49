/** Reset codes are mailed to verified addresses only, within the limits on mails. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { freshEmail, HOUR_MS, MINUTE_MS, useService } from '../support/people.ts'

const service = await useService()

describe('POST /user/forgot-password', () => {
  it('sends a known address twelve characters of base32 and answers an unknown one alike', async () => {
    const { email } = await service.person()
    const stranger = freshEmail()
    const [known, unknown] = [await service.forgotPassword(email), await service.forgotPassword(stranger)]
    assert.equal(known.text.replace(email, ''), unknown.text.replace(stranger, ''))
    assert.match((await service.letterNumber(2, email)).code!, /^[A-Z2-7]{12}$/)
    assert.equal(await service.letterCount(stranger), 0)
  })

  it('sends nothing to an address that is not verified', async () => {
    const email = freshEmail()
    await service.register(email)
    await service.forgotPassword(email)
    assert.equal(await service.letterCount(email), 1)
  })

  it('sends no second mail within 60 seconds, and no more than five an hour', async () => {
    const { email } = await service.person()
    await service.forgotPassword(email)
    await service.forgotPassword(email)
    assert.equal(await service.letterCount(email), 2)
    for (let i = 0; i < 6; i++) {
      service.advance(MINUTE_MS)
      await service.forgotPassword(email)
    }
    assert.equal(await service.letterCount(email), 6)
    service.advance(HOUR_MS)
    await service.forgotPassword(email)
    await service.letterNumber(7, email)
  })
})
