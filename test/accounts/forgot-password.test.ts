/** Reset codes are mailed to verified addresses only, within the limits on mails. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  forgotPassword,
  freshEmail,
  HOUR_MS,
  letterCount,
  letterNumber,
  MINUTE_MS,
  person,
  register,
  startWithoutIpLimits,
} from '../support/people.ts'

const service = await startWithoutIpLimits()
after(() => service.close())

describe('POST /user/forgot-password', () => {
  it('sends a known address twelve characters of base32 and answers an unknown one alike', async () => {
    const { email } = await person(service)
    const stranger = freshEmail()
    const [known, unknown] = [await forgotPassword(service, email), await forgotPassword(service, stranger)]
    assert.equal(known.text.replace(email, ''), unknown.text.replace(stranger, ''))
    assert.match((await letterNumber(service, 2, email)).code!, /^[A-Z2-7]{12}$/)
    assert.equal(await letterCount(service, stranger), 0)
  })

  it('sends nothing to an address that is not verified', async () => {
    const email = freshEmail()
    await register(service, email)
    await forgotPassword(service, email)
    assert.equal(await letterCount(service, email), 1)
  })

  it('sends no second mail within 60 seconds, and no more than five an hour', async () => {
    const { email } = await person(service)
    await forgotPassword(service, email)
    await forgotPassword(service, email)
    assert.equal(await letterCount(service, email), 2)
    for (let i = 0; i < 6; i++) {
      service.advance(MINUTE_MS)
      await forgotPassword(service, email)
    }
    assert.equal(await letterCount(service, email), 6)
    service.advance(HOUR_MS)
    await forgotPassword(service, email)
    await letterNumber(service, 7, email)
  })
})
