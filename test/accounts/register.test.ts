/** Registration: one pending row and one code per request, limited mails, no reply that tells who has an account. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { number } from '../support/database.ts'
import { freshEmail, HOUR_MS, refused, useService } from '../support/people.ts'
import type { Answer } from '../support/service.ts'

const service = await useService()

describe('POST /user/register', () => {
  it('answers with the address and sends one mail that names the username and holds six digits', async () => {
    const email = freshEmail()
    const answer = await service.register(email, { username: 'Zoë L.' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.body.data), ['email', 'message', 'registration'])
    assert.match(answer.body.data.registration, /^[0-9A-Za-z]{43}$/)
    assert.equal(answer.body.data.email, email)
    const mail = await service.letterNumber(1, email)
    assert.match(mail.code!, /^\d{6}$/)
    assert.match(mail.source, /Zo=C3=AB L\./)
    assert.ok(!answer.text.includes(mail.code!))
  })

  it('refuses short and long passwords, bad addresses and usernames, and names the field', async () => {
    for (const [field, value] of [
      ['password', 'x'.repeat(7)],
      ['password', 'x'.repeat(129)],
      ['password', 12345678],
      ['email', 'nobody'],
      ['email', 'a@b\r\nBcc: c@d'],
      ['username', ''],
      ['username', 'x'.repeat(101)],
      ['full_name', 5],
    ] as const) {
      const answer = await service.register(freshEmail(), { [field]: value })
      refused(answer, 422, 'invalid_input')
      assert.equal(answer.body.error.details[0].path, `/${field}`)
    }
  })

  it('takes a password of 8 characters once they are normalised, not before', async () => {
    refused(await service.register(freshEmail(), { password: 'e\u0301'.repeat(4) }), 422, 'invalid_input')
    assert.equal((await service.register(freshEmail(), { password: 'e\u0301'.repeat(8) })).status, 200)
  })

  it('answers a verified address alike and mails it that it has an account', async () => {
    const { email } = await service.person()
    const stranger = freshEmail()
    const [known, unknown] = [await service.register(email), await service.register(stranger)]
    const shape = (answer: Answer, address: string) =>
      answer.text.replace(address, '').replace(answer.body.data.registration, '')
    assert.equal(shape(known, email), shape(unknown, stranger))
    const mail = await service.letterNumber(2, email)
    assert.match(mail.subject, /account already/)
    assert.equal(mail.code, null)
    assert.equal(await number(service, `SELECT count(*) FROM registrations WHERE address = '${email}'`), 0)
  })

  it('sends an address five mails an hour for one client, then answers 429, whether the address is known or not', async () => {
    const email = freshEmail()
    for (let i = 0; i < 5; i++) assert.equal((await service.register(email)).status, 200)
    const known = await service.person()
    for (let i = 0; i < 4; i++) assert.equal((await service.register(known.email)).status, 200)
    for (const address of [email, known.email]) {
      const answer = await service.register(address)
      refused(answer, 429, 'too_many_attempts')
      assert.ok(Number(answer.headers.get('retry-after')) > 3_000)
    }
    assert.equal(await service.letterCount(email), 5)
    service.advance(HOUR_MS)
    await service.register(email)
    await service.letterNumber(6, email)
  })

  it('counts the mails of an address however its letters are cased', async () => {
    const email = freshEmail()
    for (let i = 0; i < 4; i++) await service.register(email)
    const shouted = email.replace('person', 'PERSON')
    for (let i = 0; i < 4; i++) await service.register(shouted)
    assert.equal(await service.letterCount(email), 4)
    assert.equal(service.letters(shouted).length, 1)
  })
})
