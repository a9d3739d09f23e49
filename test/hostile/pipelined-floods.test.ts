/** Pipelined requests: each begins after the reply before it; a flood of them is disconnected. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WAITING_BYTES, WAITING_REQUESTS } from '../../src/base/limits/callers.ts'
import { receiver } from '../../src/compute/body/receive.ts'
import { type Edge, openClient, route, startEdge } from '../support/edge.ts'
import { random } from '../support/random.ts'
import { until } from '../support/until.ts'

let edge: Edge
afterEach(() => edge.close())

/** One is answered while the others wait. */
const FEW = WAITING_REQUESTS + 1
const REQUEST = 'GET /count HTTP/1.1\r\nHost: x\r\n\r\n'

describe('a flood of pipelined requests', () => {
  it('is answered one request at a time, in order, as long as few of them wait', async () => {
    let [begun, running, most] = [0, 0, 0]
    const count = async () => {
      begun += 1
      const number = begun
      running += 1
      most = Math.max(most, running)
      await sleep(1)
      running -= 1
      return number
    }
    edge = await startEdge({ routes: [route('GET', '/count', count)] })
    const client = await openClient(edge.port)
    client.socket.end(REQUEST.repeat(FEW))
    await until(() => client.isClosed(), 'the connection is closed')
    assert.deepEqual(
      repliesIn(client.text()),
      Array.from({ length: FEW }, (_, index) => index + 1),
    )
    assert.equal(most, 1)
  })

  it('is disconnected when more wait, and others are served meanwhile', async () => {
    const FLOODS = 50
    let begun = 0
    const count = () => {
      begun += 1
      return sleep(1, 'counted')
    }
    edge = await startEdge({ routes: [route('GET', '/count', count)] })
    const other = await openClient(edge.port)
    const floods = await Promise.all(Array.from({ length: FLOODS }, () => openClient(edge.port)))
    for (const { socket } of floods) socket.write(REQUEST.repeat(2_000))
    other.socket.write(REQUEST)
    await until(() => other.text().includes('"counted"'), 'the other client is answered')
    await until(() => floods.every(({ isClosed }) => isClosed()), 'the floods are disconnected')
    assert.ok(begun < FLOODS * FEW, `${begun} requests were begun`)
    await until(async () => (await edge.open()) === 1, 'the other connection alone is open')
    other.socket.destroy()
  })

  it('is not answered further while its replies are not read', async () => {
    let begun = 0
    const large = 'x'.repeat(4_000_000)
    const count = () => {
      begun += 1
      return large
    }
    edge = await startEdge({ routes: [route('GET', '/count', count)], limits: { silenceMs: 60_000 } })
    const client = await openClient(edge.port)
    client.socket.pause()
    client.socket.write(REQUEST.repeat(FEW))
    await sleep(1_000)
    // As many replies as the buffers of the operating system hold, and one more.
    assert.ok(begun < FEW / 2, `${begun} requests were begun`)
    client.socket.destroy()
  })

  it('is answered up to its first malformed request, which gets 400', async () => {
    edge = await startEdge({ routes: [route('GET', '/count', () => sleep(5, 'counted'))] })
    const client = await openClient(edge.port)
    client.socket.write(`${REQUEST.repeat(FEW - 1)}\x01nonsense\r\n\r\n`)
    await until(() => client.isClosed(), 'the connection is closed')
    assert.equal(client.text().split('"counted"').length - 1, FEW - 1)
    assert.match(client.text(), /"counted"HTTP\/1.1 400 .*"success":false.*}$/s)
    client.socket.destroy()
  })
})

describe('pipelined requests with bodies', () => {
  it('hold few bytes while they wait: a connection that sends more is closed', async () => {
    let begun = 0
    const slow = () => {
      begun += 1
      return sleep(300_000, 'late', { ref: false })
    }
    edge = await startEdge({ routes: [route('POST', '/slow', slow)] })
    const body = 'x'.repeat(WAITING_BYTES / 8)
    const request = `POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const client = await openClient(edge.port)
    client.socket.write(request.repeat(WAITING_REQUESTS))
    await until(() => client.isClosed(), 'the connection is closed')
    assert.ok(begun <= 1)
  })

  it('arrive whole and in order, wherever the packets are cut', async () => {
    const receive = receiver(1_000_000)
    const echo = route('POST', '/echo', async ({ body: arriving }) => {
      const body = await receive.lease().receive(arriving as IncomingMessage, { required: false })
      if (body.length % 3 === 0) await sleep(1)
      return body.toString('latin1')
    })
    edge = await startEdge({ routes: [echo] })
    const next = random(7)
    for (let round = 0; round < 10; round++) {
      const bodies = Array.from({ length: FEW }, (_, i) =>
        `${i}:`.padEnd(1 + Math.floor(next() ** 4 * 40_000), 'x'),
      )
      const sent = bodies
        .map((body, i) =>
          i % 2 === 0
            ? `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
            : `POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        )
        .join('')
      const client = await openClient(edge.port)
      for (let start = 0; start < sent.length; ) {
        const end = start + 1 + Math.floor(next() ** 3 * 100_000)
        client.socket.write(sent.slice(start, end), 'latin1')
        if (next() < 0.3) await sleep(1)
        start = end
      }
      client.socket.end()
      await until(() => client.isClosed(), 'the connection is closed')
      assert.deepEqual(repliesIn(client.text()), bodies)
    }
  })
})

describe('a body in chunks of one byte', () => {
  const length = route('POST', '/length', async ({ body: arriving }) => {
    const body = await receiver(1_000_000)
      .lease()
      .receive(arriving as IncomingMessage, { required: false })
    return body.length
  })
  const chunked = (bytes: number) =>
    `POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(bytes)}0\r\n\r\n`

  it('is not read while a request before it is under way, as each chunk would take hundreds of bytes of memory', async () => {
    const clients = 10
    const chunks = 60_000
    const { promise, resolve } = Promise.withResolvers<string>()
    edge = await startEdge({ routes: [route('GET', '/slow', () => promise), length] })
    const sent = Buffer.from(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${chunked(chunks)}`)
    const before = process.memoryUsage().heapUsed
    const opened = await Promise.all(Array.from({ length: clients }, () => openClient(edge.port)))
    for (const { socket } of opened) socket.end(sent)
    let most = 0
    for (let look = 0; look < 20; look++) {
      await sleep(50)
      most = Math.max(most, process.memoryUsage().heapUsed - before)
    }
    resolve('done')
    await until(() => opened.every(({ isClosed }) => isClosed()), 'every connection is closed')
    for (const { text } of opened) assert.deepEqual(repliesIn(text()), ['done', chunks])
    assert.ok(most < 100 * clients * chunks, `${most} bytes were held`)
  })

  it('leaves most of the time to other requests', async () => {
    edge = await startEdge({ routes: [route('GET', '/count', () => 'counted'), length] })
    const [flood, other] = await Promise.all([openClient(edge.port), openClient(edge.port)])
    flood.socket.end(chunked(100_000))
    let answered = 0
    while (!flood.isClosed()) {
      other.socket.write(REQUEST)
      await once(other.socket, 'data')
      answered += 1
    }
    assert.deepEqual(repliesIn(flood.text()), [100_000])
    assert.ok(answered > 100, `${answered} requests were answered meanwhile`)
    other.socket.destroy()
  })
})

function repliesIn(text: string): unknown[] {
  const replies: unknown[] = []
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('\r\n\r\n', at) + 4
    const length = Number(/content-length: (\d+)/i.exec(text.slice(at, start))![1])
    replies.push(JSON.parse(text.slice(start, start + length)))
    at = start + length
  }
  return replies
}
