/** Replies that are sent before the body has arrived: a client that is still sending reads its reply all the same. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { openClient, route, startEdge } from '../support/edge.ts'
import { useService } from '../support/people.ts'
import { until } from '../support/until.ts'

const BODY_BYTES = 12_000_000
const BODY_LIMIT = 16_777_216

const head = (path: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`

/** The time for which the service discards what a refused client still sends. */
const DISCARDING_MS = 2_000
const ATTEMPTS = 20

/**
 * Sends all of its request, and reads only then; rejects if the connection was reset meanwhile. On a machine so busy that sending
 * takes longer than the service discards, it is sent again.
 */
async function sendThenRead(port: number, start: string, body: Buffer, left = ATTEMPTS): Promise<string> {
  const startedAt = performance.now()
  try {
    return await sendOnce(port, start, body)
  } catch (error) {
    if (left === 0 || performance.now() - startedAt < DISCARDING_MS) throw error
    return await sendThenRead(port, start, body, left - 1)
  }
}

async function sendOnce(port: number, start: string, body: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause()
  socket.write(start)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(body, (error) => (error ? reject(error) : resolve()))
  })
  return await text(socket.setEncoding('latin1'))
}

describe('a client that sends its whole request before it reads', async () => {
  const service = await useService()
  const port = Number(new URL(service.url).port)

  for (const [status, change, length] of [
    [402, 'balance = 0', BODY_BYTES],
    [429, 'hour_limit = 0', BODY_BYTES],
    [413, 'balance = 50', BODY_LIMIT + 1],
  ] as const)
    it(`reads that it was refused with ${status}`, async () => {
      const start = head('/quantlib/batch', length, `X-API-Key: ${await service.guestWith(change)}\r\n`)
      const reply = await sendThenRead(port, start, Buffer.alloc(length, 32))
      assert.match(reply, new RegExp(`^HTTP/1.1 ${status} .*"success":false`, 's'))
      assert.match(reply, /^connection: close\r$/im)
    })

  it('reads that its key is unknown, and that there is no such path', async () => {
    for (const [path, status] of [
      ['/quantlib/batch', 401],
      ['/nowhere', 404],
    ] as const) {
      const reply = await sendThenRead(port, head(path, BODY_BYTES), Buffer.alloc(BODY_BYTES, 32))
      assert.match(reply, new RegExp(`^HTTP/1.1 ${status} `))
    }
  })
})

describe('a connection whose client goes on sending after its last reply', () => {
  const early = [route('POST', '/early', () => 'done')]

  it('is destroyed after a bounded number of bytes', async () => {
    const edge = await startEdge({ routes: early, limits: { silenceMs: 600_000, discardBytes: 1_000_000 } })
    const { socket, text } = await openClient(edge.port)
    socket.write(head('/early', 1_000_000_000))
    await until(() => text().startsWith('HTTP/1.1 200'), 'the reply arrives')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const send = () => socket.write(Buffer.alloc(100_000)) && setImmediate(send)
    socket.on('drain', send)
    send()
    await closed
    await edge.close()
  })

  it('is destroyed after a bounded time', async () => {
    const edge = await startEdge({ routes: early, limits: { silenceMs: 500 } })
    const { socket } = await openClient(edge.port)
    socket.write(head('/early', 1_000_000_000))
    const sending = setInterval(() => socket.write('x'), 20)
    await until(async () => (await edge.open()) === 0, 'the connection is closed')
    clearInterval(sending)
    socket.destroy()
    await edge.close()
  })

  it('gets no reply to a request behind its last reply, which is not begun either', async () => {
    let begun = 0
    const counted = route('GET', '/counted', () => {
      begun += 1
    })
    const edge = await startEdge({ routes: [...early, counted] })
    const { isClosed, socket, text } = await openClient(edge.port)
    socket.write(head('/early', 10))
    await until(() => text().startsWith('HTTP/1.1 200'), 'the reply arrives')
    socket.end('0123456789GET /counted HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(isClosed, 'the connection is closed')
    await until(async () => (await edge.open()) === 0, 'the connection is closed')
    assert.deepEqual([begun, text().split('HTTP/1.1').length], [0, 2])
    await edge.close()
  })
})
