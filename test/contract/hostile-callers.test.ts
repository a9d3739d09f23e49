/** Callers who mean harm, or merely err: each of these once got through, or got a wrong answer. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { LARGE_BODIES_PER_ACCOUNT } from '../../src/base/limits/callers.ts'
import { exchange } from '../support/edge.ts'
import { COMPUTED, useService } from '../support/people.ts'
import { definite } from '../support/service.ts'
import { until } from '../support/until.ts'

const LIMIT = 2_000_000

const service = await useService({ QUANTD_BODY_LIMIT: String(LIMIT) })

const port = Number(new URL(service.url).port)

describe('a request without Host, or with an expectation that is not known', () => {
  it('is answered', async () => {
    const noHost = await exchange(port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
    assert.match(noHost, /^HTTP\/1.1 200 /)
    const expecting = await exchange(
      port,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: foo\r\nConnection: close\r\n\r\n',
    )
    assert.match(expecting, /^HTTP\/1.1 200 /)
  })
})

describe('bodies of callers without a key', () => {
  it('are small: a large one is refused before it is parsed', async () => {
    for (const path of ['/guest/create', '/user/login', '/user/register']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`
      assert.match(await exchange(port, head + '['.repeat(1_000)), /^HTTP\/1.1 413 .*body_too_large/s)
    }
  })
})

describe('bodies that hold too much', () => {
  it('are refused by their count', async () => {
    const key = await service.guest()
    const rows = await definite(() =>
      service.call('/quantlib/ml/preprocessing/outliers', { key, raw: `{"X":[${'[],'.repeat(600_000)}[]]}` }),
    )
    assert.equal(rows.status, 422)
    const fields = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`f${i}`, 1]))
    const wide = await service.call(COMPUTED, { key, body: fields(1_000) })
    assert.match(wide.body.message, /has 1000 fields; its fields are: wealth/)
    const wider = await service.call(COMPUTED, { key, body: fields(5_000) })
    assert.deepEqual([wider.status, wider.body.error.code], [422, 'invalid_input'])
    assert.match(wider.body.message, /has more than 1000 different names/)
  })

  it('with many unknown fields are refused with the first of these named', async () => {
    const key = await service.guest()
    const fields = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`zz${i}`, 1]))
    const answer = await service.call(COMPUTED, { key, body: { wealth: 1, ...fields } })
    assert.equal(answer.body.error.details.length, 5)
    assert.equal(answer.body.error.details[0].path, '/zz0')
  })

  it('are never echoed at length', async () => {
    const key = await service.guest()
    const answer = await service.call(COMPUTED, { key, body: { wealth: 1, ['x'.repeat(30_000)]: 1 } })
    assert.ok(answer.text.length < 2_000)
  })

  it('over the limit are 413 also when they come in chunks', async () => {
    const key = await service.guest()
    const head = `POST ${COMPUTED} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
    assert.match(await exchange(port, head + chunk.repeat(Math.ceil(LIMIT / 65_536) + 1)), /^HTTP\/1.1 413 /)
  })
})

describe('held uploads', () => {
  it('of one account leave room for everybody else', async () => {
    const greedy = await service.guest()
    const head = `POST ${COMPUTED} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${greedy}\r\nContent-Type: application/json\r\nContent-Length: ${LIMIT}\r\n\r\n`
    let refusals = 0
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined).once('data', () => refusals++)
      socket.write(head)
      socket.write(' '.repeat(LIMIT - 10))
      return socket
    })
    await until(() => refusals === sockets.length - LARGE_BODIES_PER_ACCOUNT, 'the others are refused')
    const large = '{"wealth":2}'.padEnd(LIMIT)
    const answers = [
      await service.call(COMPUTED, { key: await service.guest(), body: { wealth: 2 } }),
      await service.call(COMPUTED, { key: await service.guest(), raw: large }),
    ]
    for (const socket of sockets) socket.destroy()
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
  })
})

describe('refusals', () => {
  it('of what a guest may not do tell where the account stands', async () => {
    const key = await service.guest()
    const answer = await service.call('/user/regenerate-api-key', { method: 'POST', key })
    assert.deepEqual([answer.status, answer.body.error.code], [403, 'guest_forbidden'])
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '50')
  })
})

describe('text', () => {
  it('with NUL in a device field is refused on either database', async () => {
    const device = { device_id: 'a\u0000b', device_name: 'n', platform: 'p' }
    assert.equal((await service.call('/guest/create', { body: device })).status, 422)
  })
})
