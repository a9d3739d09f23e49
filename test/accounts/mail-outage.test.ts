/** A mail server that is away: nobody waits for it, and once it is back every mail leaves once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { number } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { freshEmail, PASSWORD, refused, times, useService } from '../support/people.ts'
import { smtpPeer } from '../support/smtp-peer.ts'
import { until } from '../support/until.ts'

const PEOPLE = 20

test('while the mail server is away register and login do not wait, and every mail leaves once when it is back', async () => {
  const port = await freePort()
  const service = await useService({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'quantd <q@quantd.test>',
  })
  const emails = Array.from({ length: PEOPLE }, freshEmail)
  let peer: Awaited<ReturnType<typeof smtpPeer>> | undefined
  try {
    for (const answer of await times(PEOPLE, (i) => service.register(emails[i])))
      assert.equal(answer.status, 200, answer.text)
    refused(await service.login(emails[0]), 401, 'invalid_credentials')
    const waiting = 'SELECT count(*) FROM mails WHERE sealed IS NOT NULL'
    assert.equal(await number(service, waiting), PEOPLE)
    const attempts = () => number(service, 'SELECT max(attempts) FROM mails')
    await until(async () => (await attempts()) >= 1, 'a try has failed')

    peer = await smtpPeer({}, port)
    await until(async () => (await number(service, waiting)) === 0, 'no mail is waiting')
    // A mail that is sent twice would come now.
    await sleep(300)
    assert.deepEqual(peer.deliveries.map(({ to }) => to[0]).sort(), [...emails].sort())
    assert.equal(
      new Set(peer.deliveries.map(({ source }) => /^Message-ID: (.*)\r$/im.exec(source)![1])).size,
      PEOPLE,
    )
    assert.equal(
      await number(service, 'SELECT count(*) FROM mails WHERE sent_at IS NOT NULL AND recipient IS NULL'),
      PEOPLE,
    )

    const { source, to } = peer.deliveries[0]
    const code = /^(\d{6})\r$/m.exec(source)![1]
    assert.equal((await service.verify(to[0], code)).status, 200)
    assert.equal((await service.login(to[0], PASSWORD)).status, 200)
  } finally {
    await peer?.close()
  }
})
