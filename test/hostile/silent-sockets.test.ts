/** Connections on which no bytes arrive: each is destroyed in time, or earlier to make room for others. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { receiver } from '../../src/compute/body/receive.ts'
import { connectionsThatFit } from '../../src/serve/http/connections.ts'
import { type Edge, type EdgeOptions, openClient, route, startEdge } from '../support/edge.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const SILENCE_MS = 500
/** More than the silence limit, the interval until the next look, and the time to read a last reply. */
const GONE_MS = 3 * SILENCE_MS
/** Node's own time limit for a connection on which nothing arrives. */
const NODES_OWN_MS = 60_000
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

let edge: Edge
afterEach(() => edge.close())

const start = async (options: EdgeOptions = {}): Promise<void> => {
  edge = await startEdge({ ...options, limits: { silenceMs: SILENCE_MS, ...options.limits } })
}
/** Before the limits of Node itself would close it. */
async function goesAway(): Promise<void> {
  const startedAt = performance.now()
  await until(async () => (await edge.open()) === 0, 'the connection is closed')
  assert.ok(performance.now() - startedAt < NODES_OWN_MS)
}

describe('a connection that was answered with an error of the protocol', () => {
  for (const [status, code, bytes] of [
    [400, 'invalid_json', 'nonsense\r\n\r\n'],
    [431, 'headers_too_large', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    [405, 'method_not_allowed', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [408, 'request_timeout', 'GET /healthz HTTP/1.1\r\nHo'],
  ] as const)
    it(`${status} is destroyed, although the client keeps its side open`, async () => {
      await start()
      const client = await openClient(edge.port)
      client.socket.write(bytes)
      await goesAway()
      await until(() => client.text() !== '', 'the reply begins')
      assert.match(client.text(), new RegExp(`^HTTP/1.1 ${status} .*"code":"${code}"`, 's'))
      client.socket.destroy()
    })
})

describe('a connection without a request', () => {
  it('is destroyed within the silence limit', async () => {
    await start()
    const client = await openClient(edge.port)
    await goesAway()
    assert.equal(client.text(), '')
    client.socket.destroy()
  })

  it('is kept between two requests', async () => {
    await start()
    const client = await openClient(edge.port)
    client.socket.write(HEALTH)
    await sleep(GONE_MS)
    client.socket.write(HEALTH)
    await until(() => client.text().split('HTTP/1.1 200').length === 3, 'the reply arrives')
    client.socket.destroy()
  })
})

describe('a request whose body is received', () => {
  const LENGTH = 1_000
  const HEAD = `POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: ${LENGTH}\r\n\r\n`
  const reading = receiver(LENGTH)
  const body = route('POST', '/body', async ({ body: arriving }) => {
    const bytes = await reading.lease().receive(arriving as IncomingMessage, { required: false })
    return bytes.length
  })

  it('loses its connection when the client stops sending it', async () => {
    await start({ routes: [body] })
    const client = await openClient(edge.port)
    client.socket.write(HEALTH)
    await until(() => client.text().startsWith('HTTP/1.1 200'), 'the reply arrives')
    client.socket.write(`${HEAD}${'x'.repeat(LENGTH / 2)}`)
    await goesAway()
    client.socket.destroy()
  })

  it('is answered when the client sends a part now and then', async () => {
    await start({ routes: [body] })
    const client = await openClient(edge.port)
    client.socket.write(HEAD)
    for (let part = 0; part < 10; part++) {
      await sleep(SILENCE_MS / 4)
      client.socket.write('x'.repeat(LENGTH / 10))
    }
    await until(() => client.text().endsWith(String(LENGTH)), 'the reply arrives')
    client.socket.destroy()
  })

  it('is not timed before the service reads the body', async () => {
    const answer: typeof body.answer = async (incoming) => {
      await sleep(2 * SILENCE_MS)
      return await body.answer(incoming)
    }
    await start({ routes: [{ ...body, answer }] })
    const client = await openClient(edge.port)
    client.socket.write(HEAD)
    await sleep(2 * SILENCE_MS)
    client.socket.write('x'.repeat(LENGTH))
    await until(() => client.text().endsWith(String(LENGTH)), 'the reply arrives')
    client.socket.destroy()
  })
})

describe('a client that closes its side', () => {
  it('after several requests gets all replies', async () => {
    await start({ routes: [route('GET', '/slow', () => sleep(20, 'done'))] })
    const client = await openClient(edge.port)
    client.socket.end('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10))
    await until(client.isClosed, 'the connection is closed')
    assert.equal(client.text().split('"done"').length - 1, 10)
  })

  it('within a request gets 400, and the connection is destroyed', async () => {
    await start()
    const client = await openClient(edge.port)
    client.socket.end('GET /healthz HTTP/1.1\r\nHo')
    await goesAway()
    await until(() => client.text() !== '', 'the reply begins')
    assert.match(client.text(), /^HTTP\/1.1 400 /)
  })
})

describe('at the limit of connections', () => {
  it('the longest idle connection of an address is closed for its next one', async () => {
    await start({ limits: { perAddress: 3, silenceMs: 60_000 } })
    const clients = [await openClient(edge.port), await openClient(edge.port), await openClient(edge.port)]
    clients[0].socket.write(HEALTH)
    await until(() => clients[0].text() !== '', 'the reply begins')
    const next = await openClient(edge.port)
    next.socket.write(HEALTH)
    await until(() => next.text().startsWith('HTTP/1.1 200'), 'the reply arrives')
    await until(clients[1].isClosed, 'a connection is closed')
    assert.deepEqual(
      clients.map((client) => client.isClosed()),
      [false, true, false],
    )
    for (const { socket } of [...clients, next]) socket.destroy()
  })

  it('a new connection is refused while requests are answered on all others', async () => {
    const end = Promise.withResolvers<string>()
    let begun = 0
    const slow = () => {
      begun += 1
      return end.promise
    }
    await start({
      routes: [route('GET', '/slow', slow)],
      limits: { perAddress: 2, silenceMs: 60_000 },
    })
    const clients = [await openClient(edge.port), await openClient(edge.port)]
    for (const { socket } of clients) socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => begun === 2, 'both requests are being answered')
    const refused = await openClient(edge.port)
    await until(refused.isClosed, 'the new connection is closed')
    end.resolve('done')
    await until(() => clients.every((client) => client.text().includes('done')), 'every reply arrives')
    for (const { socket } of [...clients, refused]) socket.destroy()
  })

  it('each IPv4 address has its own limit, also where the service listens on IPv6', async () => {
    await start({ host: '::', limits: { perAddress: 1, silenceMs: 60_000 } })
    const clients = [await openClient(edge.port), await openClient(edge.port, '127.0.0.2')]
    for (const { socket } of clients) socket.write(HEALTH)
    await until(
      () => clients.every((client) => client.text().startsWith('HTTP/1.1 200')),
      'every reply arrives',
    )
    assert.equal(await edge.open(), 2)
    for (const { socket } of clients) socket.destroy()
  })

  it('a trusted proxy has no limit of its own', async () => {
    await start({ trustedProxies: ['127.0.0.0/8'], limits: { perAddress: 1, silenceMs: 60_000 } })
    const clients = [await openClient(edge.port), await openClient(edge.port)]
    for (const { socket } of clients) socket.write(HEALTH)
    await until(
      () => clients.every((client) => client.text().startsWith('HTTP/1.1 200')),
      'the reply arrives',
    )
    for (const { socket } of clients) socket.destroy()
  })

  it('of the process, silent connections are closed for new ones', async () => {
    await start({ limits: { total: 20, silenceMs: 60_000 } })
    const silent = await Promise.all(Array.from({ length: 40 }, () => openClient(edge.port)))
    const client = await openClient(edge.port)
    client.socket.write(HEALTH)
    await until(() => client.text().startsWith('HTTP/1.1 200'), 'the reply arrives')
    assert.ok((await edge.open()) <= 20)
    for (const { socket } of [...silent, client]) socket.destroy()
  })

  it('of the process, connections that were answered with an error are closed first', async () => {
    await start({ limits: { total: 20, silenceMs: 60_000 } })
    const idle = await openClient(edge.port)
    const told = await Promise.all(Array.from({ length: 19 }, () => openClient(edge.port)))
    for (const { socket } of told) socket.write('nonsense\r\n\r\n')
    await until(() => told.every((client) => client.isClosed()), 'those clients are told')
    const clients = [await openClient(edge.port), idle]
    for (const client of clients) {
      client.socket.write(HEALTH)
      await until(() => client.text().startsWith('HTTP/1.1 200'), 'the reply arrives')
    }
    for (const { socket } of [...told, ...clients]) socket.destroy()
  })

  it('the number of connections follows from the limit of open files', async () => {
    await start()
    const file = join(temporaryFolder('limits'), 'limits')
    for (const [limit, fit] of [
      ['1000', 900],
      ['100', 36],
      ['20', 1],
      ['unlimited', Number.POSITIVE_INFINITY],
    ] as const) {
      writeFileSync(file, `Max processes 7 7 processes\nMax open files            ${limit}   4096   files\n`)
      assert.equal(connectionsThatFit(file), fit, limit)
    }
    assert.equal(connectionsThatFit('/nowhere'), Number.POSITIVE_INFINITY)
  })
})
