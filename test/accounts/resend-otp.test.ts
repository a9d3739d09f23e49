/** A new code for a registration, within the limits on mails. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  freshEmail,
  HOUR_MS,
  letterCount,
  letterNumber,
  MINUTE_MS,
  person,
  refused,
  register,
  startWithoutIpLimits,
  verify,
} from '../support/people.ts'

const service = await startWithoutIpLimits()
after(() => service.close())

const resend = (email: string) => service.call('/user/resend-otp', { body: { email } })

describe('POST /user/resend-otp', () => {
  it('renews the newest registration: its old code ends, its new one serves, the older ones keep theirs', async () => {
    const email = freshEmail()
    await register(service, email, { username: 'older' })
    await register(service, email, { username: 'newest' })
    const [older, newest] = [await letterNumber(service, 1, email), await letterNumber(service, 2, email)]
    service.advance(MINUTE_MS)
    assert.equal((await resend(email)).status, 200)
    const renewed = await letterNumber(service, 3, email)
    assert.match(renewed.source, /newest/)
    assert.match(older.source, /older/)
    refused(await verify(service, email, newest.code!), 401, 'otp_invalid')
    assert.equal((await verify(service, email, renewed.code!)).status, 200)
  })

  it('sends no second mail within 60 seconds and answers alike', async () => {
    const email = freshEmail()
    await register(service, email)
    const first = await resend(email)
    service.advance(MINUTE_MS - 3_000)
    const second = await resend(email)
    assert.equal(await letterCount(service, email), 1)
    service.advance(3_000)
    const third = await resend(email)
    await letterNumber(service, 2, email)
    assert.deepEqual([first.body, second.body], [third.body, third.body])
  })

  it('answers alike where there is nothing to resend, and sends nothing', async () => {
    const { email } = await person(service)
    service.advance(HOUR_MS)
    const [known, unknown] = [await resend(email), await resend(freshEmail())]
    assert.equal(known.status, 200)
    assert.equal(unknown.status, 200)
    assert.deepEqual(Object.keys(unknown.body.data), Object.keys(known.body.data))
    assert.equal(await letterCount(service, email), 1)
  })

  it('counts among the five mails an hour', async () => {
    const email = freshEmail()
    await register(service, email)
    for (let i = 0; i < 6; i++) {
      service.advance(MINUTE_MS)
      await resend(email)
    }
    assert.equal(await letterCount(service, email), 5)
  })

  it('brings a registration back whose code has expired', async () => {
    const email = freshEmail()
    await register(service, email)
    await letterNumber(service, 1, email)
    service.advance(30 * MINUTE_MS)
    await resend(email)
    const { code } = await letterNumber(service, 2, email)
    assert.equal((await verify(service, email, code!)).status, 200)
  })
})
