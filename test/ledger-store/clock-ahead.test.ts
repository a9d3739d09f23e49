/** The clock of the database was days ahead and is set right: what it had begun then holds nothing back. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decoyRecipient, queueMail } from '../../src/accounts/mail/outbox.ts'
import { WEBHOOK_BATCH } from '../../src/base/limits/operation.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/time.ts'
import { number, query } from '../support/database.ts'
import { httpPeer } from '../support/http-peer.ts'
import { operator, settingsOf } from '../support/operator.ts'
import { useService } from '../support/people.ts'
import { tidied } from '../support/tidied.ts'
import { until } from '../support/until.ts'

const AHEAD_MS = 100 * DAY_MS

const settings = { QUANTD_WEBHOOK_PRIVATE: 'on' }
const service = await useService(settings)
// Not near midnight, so that the present day goes on while a test runs.
service.newDay()
service.advance(2 * HOUR_MS)

/** Does something while the clock is ahead. */
async function ahead(work: () => Promise<unknown>): Promise<void> {
  service.advance(AHEAD_MS)
  await work()
  service.advance(-AHEAD_MS)
}

const usageDays = (accountId: number) =>
  query(
    service,
    `SELECT data FROM webhook_events WHERE type = 'usage.day' AND account_id = ${accountId} ORDER BY id`,
  )

describe('after a clock that was ahead', () => {
  it('a window is no longer than ever', async () => {
    const guest = await service.guestWith("expires_at = NULL, tier = 'free', hour_limit = 2")
    await ahead(() => service.compute(guest))
    const { status, headers } = await service.compute(guest)
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit'), '"hour";r=1;t=3600')
    const { windows } = await service.dataOf(guest, '/user/credits')
    assert.equal(windows[0].used, 1)
    assert.equal((await service.compute(guest)).status, 200)
    const refused = await service.compute(guest)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) <= 3_600)
  })

  it('the cap of a team key renews when its reply says', async () => {
    const { key } = await service.person()
    const settings = { name: 'n', credit_cap: 1, cap_period: 'day' }
    const team = (await service.call('/user/keys/create', { key, body: settings })).body.data.key
    await ahead(() => service.compute(team))
    assert.equal((await service.compute(team)).status, 200)
    assert.equal((await service.compute(team)).status, 402)
    service.advance(DAY_MS)
    assert.equal((await service.compute(team)).status, 200)
  })

  it('reset codes are mailed', async () => {
    const { email } = await service.person()
    await ahead(async () => {
      await service.forgotPassword(email)
      await service.letterNumber(2, email)
    })
    await service.forgotPassword(email)
    assert.equal(await service.letterCount(email), 3)
  })

  it('the sums of the usage, and the event of the day, have all calls of the history', async () => {
    const { key } = await service.person()
    await tidied(service)
    const { user_id } = await service.dataOf(key, '/user/profile')
    const credits = async () => {
      const { by_day } = await service.dataOf(key, '/user/usage/summary')
      return by_day.map((day: { credits: number }) => day.credits)
    }
    await service.compute(key)
    await ahead(async () => {
      await tidied(service)
      assert.deepEqual(await credits(), [1])
    })
    await service.compute(key)
    await tidied(service)
    assert.deepEqual(await credits(), [2])
    service.advance(2 * DAY_MS)
    await tidied(service)
    assert.deepEqual(await credits(), [2])
    const told = (await usageDays(user_id)).map(({ data }) => JSON.parse(String(data)).credits)
    assert.deepEqual(told, [1, 2])
  })

  it('an endpoint that was made then gets the events from after its creation, and no earlier one', async () => {
    const events: string[] = []
    const receiver = await httpPeer((response, { body }) => {
      events.push(JSON.parse(body).data.name)
      response.writeHead(204).end()
    })
    const { key } = await service.person()
    const create = (name: string) => service.call('/user/keys/create', { key, body: { name } })
    await create('early')
    const quantd = operator({ ...settingsOf(service), ...settings })
    const made = await quantd(['admin', 'webhook', 'create', `${receiver.url}/`, '--types', 'key.created'])
    assert.equal(made.code, 0, made.err)
    await query(service, `UPDATE webhook_endpoints SET created_at = created_at + ${AHEAD_MS}`)
    await create('late')
    await until(() => events.includes('late'), 'the event has arrived')
    assert.deepEqual(events, ['late'])
    receiver.close()
  })

  it('the events of an account are delivered in their order, also if there are more than a batch', async () => {
    const events: string[] = []
    const receiver = await httpPeer((response, { body }) => {
      events.push(JSON.parse(body).data.name)
      response.writeHead(204).end()
    })
    const { key } = await service.person()
    const { user_id } = await service.dataOf(key, '/user/profile')
    const quantd = operator({ ...settingsOf(service), ...settings })
    const made = await quantd(['admin', 'webhook', 'create', `${receiver.url}/`, '--types', 'key.created'])
    assert.equal(made.code, 0, made.err)
    const row = (type: string, at: number, name: string) =>
      `(${user_id}, '${type}', ${at}, '{"name":"${name}"}')`
    const now = Date.now()
    const others = Array.from({ length: WEBHOOK_BATCH }, () => row('account.created', now, 'other'))
    await query(
      service,
      `INSERT INTO webhook_events (account_id, type, at, data) VALUES
       ${[row('key.created', now + HOUR_MS, 'ahead'), ...others, row('key.created', now - 1, 'after')]}`,
    )
    await until(() => events.length >= 2, 'both events have arrived')
    assert.deepEqual(events, ['ahead', 'after'])
    receiver.close()
  })

  it('a mail and an event that were postponed by that clock are sent, and later events after this one', async () => {
    const events: string[] = []
    let isAway = true
    const receiver = await httpPeer((response, { body }) => {
      if (!isAway) events.push(JSON.parse(body).data.name)
      response.writeHead(isAway ? 500 : 204).end()
    })
    const quantd = operator({ ...settingsOf(service), ...settings })
    const { key } = await service.person()
    const made = await quantd(['admin', 'webhook', 'create', `${receiver.url}/`, '--types', 'key.created'])
    assert.equal(made.code, 0, made.err)
    const create = (name: string) => service.call('/user/keys/create', { key, body: { name } })
    const count = (table: string, condition: string) =>
      number(service, `SELECT count(*) FROM ${table} WHERE ${condition}`)
    await ahead(async () => {
      await create('first')
      await until(async () => (await count('webhook_deliveries', 'status = 500')) > 0, 'a try has failed')
      const decoy = { id: 'put off', to: decoyRecipient(''), masterKeyId: '', sealed: new Uint8Array(1) }
      await service.store.run(function* (sql) {
        yield* queueMail(sql, decoy, (yield* sql.clock()) + MINUTE_MS)
      })
    })
    isAway = false
    await create('second')
    await tidied(service)
    await until(() => events.length >= 2, 'both events have arrived')
    assert.deepEqual(events, ['first', 'second'])
    await until(
      async () => (await count('mails', "id = 'put off' AND sealed IS NULL")) > 0,
      'the mail is sent',
    )
    receiver.close()
  })
})
