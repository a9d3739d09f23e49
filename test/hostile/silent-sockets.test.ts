/** Sockets that say nothing more: each one ends, and makes room for others before. */
import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionsThatFit } from '../../src/http/connections.ts'
import { type Edge, type EdgeOptions, openLine, route, startEdge, until } from './edge.ts'

const SILENCE_MS = 500
/** Silence, the look that finds it, and the time in which a last reply is taken. */
const GONE_MS = 3 * SILENCE_MS
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

let edge: Edge
afterEach(() => edge.close())

const start = async (options: EdgeOptions = {}): Promise<void> => {
  edge = await startEdge({ ...options, limits: { silenceMs: SILENCE_MS, ...options.limits } })
}
const goesAway = () => until(async () => (await edge.open()) === 0, GONE_MS)

describe('a connection that was answered with an error of the protocol', () => {
  for (const [status, code, bytes] of [
    [400, 'invalid_json', 'nonsense\r\n\r\n'],
    [431, 'headers_too_large', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    [405, 'method_not_allowed', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [408, 'request_timeout', 'GET /healthz HTTP/1.1\r\nHo'],
  ] as const)
    it(`${status} is destroyed, although the client keeps its side open`, async () => {
      await start()
      const line = await openLine(edge.port)
      line.socket.write(bytes)
      assert.ok(await goesAway(), `${await edge.open()} connections are open`)
      assert.match(line.text(), new RegExp(`^HTTP/1.1 ${status} .*"code":"${code}"`, 's'))
      line.socket.destroy()
    })
})

describe('a connection on which nothing is asked', () => {
  it('ends within the silence limit', async () => {
    await start()
    const line = await openLine(edge.port)
    assert.ok(await goesAway())
    assert.equal(line.text(), '')
    line.socket.destroy()
  })

  it('is kept between two requests', async () => {
    await start()
    const line = await openLine(edge.port)
    line.socket.write(HEALTH)
    await sleep(GONE_MS)
    line.socket.write(HEALTH)
    assert.ok(await until(() => line.text().split('HTTP/1.1 200').length === 3, 1_000), line.text())
    line.socket.destroy()
  })
})

describe('a client that ends its side', () => {
  it('behind a request that takes a while is answered', async () => {
    await start({ routes: [route('POST', '/slow', () => sleep(200, 'done'))] })
    const line = await openLine(edge.port)
    line.socket.end('POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
    assert.ok(await until(() => line.isClosed(), 2_000))
    assert.match(line.text(), /^HTTP\/1.1 200 .*"done"/s)
  })

  it('behind several requests is answered to all of them', async () => {
    await start({ routes: [route('GET', '/slow', () => sleep(20, 'done'))] })
    const line = await openLine(edge.port)
    line.socket.end('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10))
    assert.ok(await until(() => line.isClosed(), 2_000))
    assert.equal(line.text().split('"done"').length - 1, 10)
  })

  it('within a request is told so, and the connection is destroyed', async () => {
    await start()
    const line = await openLine(edge.port)
    line.socket.end('GET /healthz HTTP/1.1\r\nHo')
    assert.ok(await goesAway())
    assert.match(line.text(), /^HTTP\/1.1 400 /)
  })
})

describe('where room is short', () => {
  it('the longest idle connection of an address gives way to its next one', async () => {
    await start({ limits: { perAddress: 3, silenceMs: 60_000 } })
    const lines = [await openLine(edge.port), await openLine(edge.port), await openLine(edge.port)]
    lines[0]!.socket.write(HEALTH)
    await until(() => lines[0]!.text() !== '', 1_000)
    const next = await openLine(edge.port)
    next.socket.write(HEALTH)
    assert.ok(await until(() => next.text().startsWith('HTTP/1.1 200'), 1_000))
    await until(() => lines[1]!.isClosed(), 1_000)
    assert.deepEqual(
      lines.map((line) => line.isClosed()),
      [false, true, false],
    )
    for (const { socket } of [...lines, next]) socket.destroy()
  })

  it('a new connection is refused while all others are answered', async () => {
    await start({
      routes: [route('GET', '/slow', () => sleep(300, 'done'))],
      limits: { perAddress: 2, silenceMs: 60_000 },
    })
    const lines = [await openLine(edge.port), await openLine(edge.port)]
    for (const { socket } of lines) socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await sleep(50)
    const refused = await openLine(edge.port)
    assert.ok(await until(() => refused.isClosed(), 1_000))
    assert.ok(await until(() => lines.every((line) => line.text().includes('done')), 2_000))
    for (const { socket } of [...lines, refused]) socket.destroy()
  })

  it('a trusted proxy has no limit of its own', async () => {
    await start({ trustedProxies: ['127.0.0.0/8'], limits: { perAddress: 1, silenceMs: 60_000 } })
    const lines = [await openLine(edge.port), await openLine(edge.port)]
    for (const { socket } of lines) socket.write(HEALTH)
    assert.ok(await until(() => lines.every((line) => line.text().startsWith('HTTP/1.1 200')), 1_000))
    for (const { socket } of lines) socket.destroy()
  })

  it('of descriptors, silent connections give way to those that ask', async () => {
    await start({ limits: { total: 20, silenceMs: 60_000 } })
    const silent = await Promise.all(Array.from({ length: 40 }, () => openLine(edge.port)))
    const line = await openLine(edge.port)
    line.socket.write(HEALTH)
    assert.ok(await until(() => line.text().startsWith('HTTP/1.1 200'), 1_000))
    assert.ok((await edge.open()) <= 20)
    for (const { socket } of [...silent, line]) socket.destroy()
  })

  it('of descriptors, connections that were told an error give way first', async () => {
    await start({ limits: { total: 20, silenceMs: 60_000 } })
    const idle = await openLine(edge.port)
    const told = await Promise.all(Array.from({ length: 40 }, () => openLine(edge.port)))
    for (const { socket } of told) socket.write('nonsense\r\n\r\n')
    await until(() => told.every((line) => line.isClosed()), 1_000)
    const line = await openLine(edge.port)
    line.socket.write(HEALTH)
    assert.ok(await until(() => line.text().startsWith('HTTP/1.1 200'), 1_000))
    for (const { socket } of [idle, ...told, line]) socket.destroy()
  })

  it('as many connections are taken as the limit of open files leaves room for', async () => {
    await start()
    const fit = connectionsThatFit()
    assert.ok(fit >= 1 && (fit === Number.POSITIVE_INFINITY || Number.isInteger(fit)))
    assert.equal(connectionsThatFit('/nowhere'), Number.POSITIVE_INFINITY)
  })
})
