/** A new code for a registration, within the limits on mails. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { freshEmail, HOUR_MS, MINUTE_MS, refused, useService } from '../support/people.ts'

const service = await useService()

describe('POST /user/resend-otp', () => {
  it('renews the newest registration: its old code ends, its new one serves, the older ones keep theirs', async () => {
    const email = freshEmail()
    await service.register(email, { username: 'older' })
    const older = await service.letterNumber(1, email)
    await service.register(email, { username: 'newest' })
    const newest = await service.letterNumber(2, email)
    service.advance(MINUTE_MS)
    assert.equal((await service.resend(email)).status, 200)
    const renewed = await service.letterNumber(3, email)
    assert.match(renewed.source, /newest/)
    assert.match(older.source, /older/)
    refused(await service.verify(email, newest.code!), 401, 'otp_invalid')
    assert.equal((await service.verify(email, renewed.code!)).status, 200)
  })

  it('sends no second mail within 60 seconds and answers alike', async () => {
    const email = freshEmail()
    await service.register(email)
    const first = await service.resend(email)
    service.advance(MINUTE_MS - 3_000)
    const second = await service.resend(email)
    assert.equal(await service.letterCount(email), 1)
    service.advance(3_000)
    const third = await service.resend(email)
    await service.letterNumber(2, email)
    assert.deepEqual([first.body, second.body], [third.body, third.body])
  })

  it('answers alike where there is nothing to resend, and sends nothing', async () => {
    const { email } = await service.person()
    service.advance(HOUR_MS)
    const [known, unknown] = [await service.resend(email), await service.resend(freshEmail())]
    assert.equal(known.status, 200)
    assert.equal(unknown.status, 200)
    assert.deepEqual(Object.keys(unknown.body.data), Object.keys(known.body.data))
    assert.equal(await service.letterCount(email), 1)
  })

  it('counts among the five mails an hour', async () => {
    const email = freshEmail()
    await service.register(email)
    for (let i = 0; i < 6; i++) {
      service.advance(MINUTE_MS)
      await service.resend(email)
    }
    assert.equal(await service.letterCount(email), 5)
  })

  it('brings a registration back whose code has expired', async () => {
    const email = freshEmail()
    await service.register(email)
    await service.letterNumber(1, email)
    service.advance(30 * MINUTE_MS)
    await service.resend(email)
    const { code } = await service.letterNumber(2, email)
    assert.equal((await service.verify(email, code!)).status, 200)
  })
})
