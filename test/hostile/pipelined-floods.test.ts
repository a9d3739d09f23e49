/** Pipelined requests: each begins after the reply before it, in an iteration of the event loop of its own. */
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { receiver } from '../../src/body/receive.ts'
import { type Edge, openClient, route, startEdge } from '../support/edge.ts'
import { until } from '../support/until.ts'

let edge: Edge
afterEach(() => edge.close())

const REQUEST = 'GET /count HTTP/1.1\r\nHost: x\r\n\r\n'

describe('a flood of pipelined requests', () => {
  it('begins at most one request in each iteration of the event loop, and gets all replies', async () => {
    const REQUESTS = 2_000
    let iteration = 0
    let [begun, most, last] = [0, 0, -1]
    const tick = (): void => {
      iteration += 1
      ticking = setImmediate(tick)
    }
    let ticking = setImmediate(tick)
    const count = () => {
      begun = iteration === last ? begun + 1 : 1
      last = iteration
      most = Math.max(most, begun)
      return 'counted'
    }
    edge = await startEdge({ routes: [route('GET', '/count', count)] })
    const client = await openClient(edge.port)
    client.socket.write(REQUEST.repeat(REQUESTS))
    const isAnswered = () => client.text().split('"counted"').length - 1 === REQUESTS
    await until(isAnswered, 'every request is answered')
    clearImmediate(ticking)
    assert.equal(most, 1)
    client.socket.destroy()
  })

  it('is not read further while its replies are not read', async () => {
    let begun = 0
    const large = 'x'.repeat(1_000_000)
    const count = () => {
      begun += 1
      return large
    }
    edge = await startEdge({ routes: [route('GET', '/count', count)], limits: { silenceMs: 60_000 } })
    const client = await openClient(edge.port)
    client.socket.pause()
    client.socket.write(REQUEST.repeat(2_000))
    await sleep(1_000)
    // As many replies as the buffers of the operating system hold, and one more.
    assert.ok(begun < 30, `${begun} requests were begun`)
    client.socket.destroy()
  })

  it('is answered up to its first malformed request, which gets 400', async () => {
    edge = await startEdge({ routes: [route('GET', '/count', () => sleep(5, 'counted'))] })
    const client = await openClient(edge.port)
    client.socket.write(`${REQUEST.repeat(20)}\x01nonsense\r\n\r\n`)
    await until(() => client.isClosed(), 'the connection is closed')
    assert.equal(client.text().split('"counted"').length - 1, 20)
    assert.match(client.text(), /"counted"HTTP\/1.1 400 .*"success":false.*}$/s)
    client.socket.destroy()
  })
})

describe('pipelined requests with bodies', () => {
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
      const bodies = Array.from({ length: 40 }, (_, i) =>
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

/** Numbers in [0, 1): mulberry32. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function repliesIn(text: string): string[] {
  const replies: string[] = []
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('\r\n\r\n', at) + 4
    const length = Number(/content-length: (\d+)/i.exec(text.slice(at, start))![1])
    replies.push(JSON.parse(text.slice(start, start + length)))
    at = start + length
  }
  return replies
}
