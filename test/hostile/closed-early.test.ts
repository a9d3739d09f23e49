/** Clients that close their connection, or their side of it, before the reply: what is answered, charged and replayable. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../support/database.ts'
import { openClient } from '../support/edge.ts'
import { freePort } from '../support/free-port.ts'
import { OPTION } from '../support/option.ts'
import { peopleOf, useService } from '../support/people.ts'
import { until } from '../support/until.ts'

const SMALL = { path: '/quantlib/pricing/bs/price', raw: JSON.stringify(OPTION) }
/** Takes longer in the pool than the time between two looks at the metrics. */
const POOLED = {
  path: '/quantlib/ml/clustering/isolation-forest',
  raw: JSON.stringify({
    X: Array.from({ length: 20_000 }, (_, i) => [i % 97, (i * i) % 101]),
    n_trees: 300,
  }),
}
const CALLS = [
  ['on the event loop', SMALL],
  ['in the pool', POOLED],
] as const

/** Account endpoints take 120 requests a minute: a slow machine computes longer than 120 short waits. */
const ASK_EVERY_MS = 500

const metricsPort = await freePort()
const service = await useService({ METRICS_PORT: String(metricsPort) })
const port = Number(new URL(service.url).port)

type Request = typeof SMALL

const credits = async (key: string): Promise<number> =>
  (await service.call('/user/credits', { key })).body.data.credits

async function isCharged(key: string): Promise<boolean> {
  await sleep(ASK_EVERY_MS)
  return (await credits(key)) === 349
}

/** Whether a thread computes a task. */
async function isComputing(): Promise<boolean> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return /^quantd_compute_tasks_running(\{.*\})? [1-9]/m.test(text)
}

const bytesOf = ({ path, raw }: Request, key: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: ${raw.length}\r\n\r\n${raw}`

const repeat = (request: Request, key: string) =>
  service.call(request.path, { key, raw: request.raw, headers: { 'idempotency-key': 'k' } })

describe('a client that closes its side after the request', () => {
  for (const [where, request] of CALLS)
    it(`is answered and charged for a call computed ${where}`, async () => {
      const { key } = await peopleOf(service).person()
      const client = await openClient(port)
      client.socket.end(bytesOf(request, key))
      await until(() => client.isClosed(), 'the connection is closed')
      assert.match(client.text(), /^HTTP\/1.1 200 .*"success":true/s)
      assert.equal(await credits(key), 349)
    })
})

describe('a client that closes the connection while its call is computed', () => {
  for (const [how, close] of [
    ['with FIN', 'destroy'],
    ['with RST', 'resetAndDestroy'],
  ] as const)
    it(`${how} is charged, and gets the result with the same Idempotency-Key`, async () => {
      const { key } = await peopleOf(service).person()
      const client = await openClient(port)
      client.socket.write(bytesOf(POOLED, key))
      await until(isComputing, 'a thread computes the call')
      client.socket[close]()
      assert.equal(client.text(), '')
      await until(() => isCharged(key), 'the call is charged')
      const replay = await repeat(POOLED, key)
      assert.deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [200, 'true'])
      assert.equal(await credits(key), 349)
    })

  it('is charged once, at the latest by the repetition, wherever the connection ended', async () => {
    for (let delayMs = 0; delayMs < 10; delayMs++) {
      const key = await service.guest()
      const client = await openClient(port)
      client.socket.write(bytesOf(SMALL, key))
      await sleep(delayMs)
      client.socket.resetAndDestroy()
      const repeated = await repeat(SMALL, key)
      assert.equal(repeated.status, 200)
      assert.equal(await credits(key), 49)
    }
  })
})

describe('a client that resets the connection before the service has accepted it', () => {
  it('is not served: its address is not known, and the audit has to name it', async () => {
    const key = await service.guest()
    // This process, which is the service, waits for the other one.
    const bytes = JSON.stringify(bytesOf(SMALL, key))
    const client = `const client = require('node:net').connect(${port}, '127.0.0.1', () => {
      client.write(${bytes}, () => client.resetAndDestroy())
    })`
    execFileSync(process.execPath, ['-e', client])
    await sleep(300)
    assert.equal(await credits(key), 50)
    assert.deepEqual(await query(service, "SELECT path FROM audit WHERE ip = ''"), [])
  })
})

describe('a client that closes the connection within its body', () => {
  it('is neither charged nor counted', async () => {
    const key = await service.guest()
    const client = await openClient(port)
    client.socket.write(bytesOf(POOLED, key).slice(0, 100_000))
    await sleep(100)
    client.socket.destroy()
    await sleep(300)
    const next = await service.call(SMALL.path, { key, body: OPTION })
    assert.equal(next.headers.get('x-credits-remaining'), '49')
    assert.match(next.headers.get('ratelimit')!, /"hour";r=59;/)
  })
})
