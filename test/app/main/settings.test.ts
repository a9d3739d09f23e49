/** Settings that change the service: tiers, initial credits, closed endpoints, the metrics listener. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { METRICS_CONNECTIONS } from '../../../src/base/limits/operation.ts'
import { freePort } from '../../support/free-port.ts'
import { COMPUTED, useService } from '../../support/people.ts'
import { closedAfter, request, startTestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const TOKEN = 'a-token-of-the-scraper'

const metricsPort = await freePort()
const service = await useService({
  QUANTD_TIERS: 'guest=3/2',
  QUANTD_INITIAL_CREDITS: 'guest=7,registered=1234',
  QUANTD_REGISTRATION: 'off',
  METRICS_HOST: '0.0.0.0',
  METRICS_PORT: String(metricsPort),
  METRICS_TOKEN: TOKEN,
})

describe('a service with settings of its own', () => {
  it('gives a guest the credits and the limits that are set', async () => {
    const device = { device_id: 'd-1', device_name: 'test', platform: 'node' }
    const created = await service.callOnce('/guest/create', { body: device })
    assert.equal(created.body.data.credit_balance, 7)
    const key = created.body.data.api_key
    const answers = []
    for (let i = 0; i < 3; i++) answers.push(await service.callOnce(COMPUTED, { key, body: { wealth: 2 } }))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 429],
    )
    assert.equal(answers[0].headers.get('ratelimit-policy'), '"hour";q=3;w=3600, "day";q=2;w=86400')
    assert.equal(answers[0].headers.get('x-credits-remaining'), '6')
  })

  it('states them in its reference, its Markdown pages and its OpenAPI document', async () => {
    for (const path of ['/docs/reference/credits', '/docs.md', '/openapi.json', '/assets/search.json']) {
      const { text } = await service.callOnce(path)
      assert.match(text, /starts with 7 credits, a verified account with 1,234\./, path)
      assert.doesNotMatch(text, /holds 50 credits|with 350 credits|60 an hour/, path)
    }
    for (const path of ['/docs/reference/limits', '/docs.md'])
      assert.match((await service.callOnce(path)).text, /3 an hour and 2 a day/, path)
  })

  it('refuses registrations with one sentence, before the body is looked at', async () => {
    for (const body of [{}, { username: 'ada', email: 'ada@example.org', password: 'long enough here' }]) {
      const { body: reply, status } = await service.callOnce('/user/register', { body })
      assert.deepEqual([status, reply.error.code], [403, 'closed'])
      assert.equal(reply.message, 'Registration is closed on this service; ask its operator for an account.')
    }
  })

  it('serves metrics only with the token', async () => {
    const scrape = (authorization?: string) =>
      request(`http://127.0.0.1:${metricsPort}/metrics`, {
        headers: authorization === undefined ? {} : { authorization },
      })
    for (const wrong of [undefined, 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
      const { headers, status, text } = await scrape(wrong)
      assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer'])
      assert.doesNotMatch(text, /quantd_/)
    }
    const { status, text } = await scrape(`Bearer ${TOKEN}`)
    assert.equal(status, 200)
    assert.match(text, /^# TYPE quantd_/m)
  })

  it('closes connections to the metrics beyond a few, which would take the files that the database opens', async () => {
    const sockets = Array.from({ length: 2 * METRICS_CONNECTIONS }, () => connect(metricsPort, '127.0.0.1'))
    let closed = 0
    for (const socket of sockets)
      socket
        .on('close', () => {
          closed += 1
        })
        .on('error', () => undefined)
        .resume()
    await until(() => closed >= METRICS_CONNECTIONS, 'half of the connections are closed')
    for (const socket of sockets) socket.destroy()
  })
})

it('a service that stops with a delay still replies, is not ready, and ends each connection', async () => {
  const stopping = await startTestService({ QUANTD_STOP_DELAY_SECONDS: '5' })
  const key = await stopping.guest()
  const closed = stopping.close()
  const [ready, priced] = await Promise.all([
    stopping.call('/readyz'),
    stopping.call(COMPUTED, { key, body: { wealth: 2 } }),
  ])
  assert.deepEqual([ready.status, priced.status], [503, 200])
  for (const { headers } of [ready, priced]) assert.equal(headers.get('connection'), 'close')
  await closed
  await assert.rejects(stopping.call('/readyz'))
})

it('a service without guests refuses to create guest keys', async () => {
  const closed = closedAfter(await startTestService({ QUANTD_GUESTS: 'off' }))
  const { body, status } = await closed.call('/guest/create', { body: {} })
  assert.deepEqual([status, body.error.code], [403, 'closed'])
})
