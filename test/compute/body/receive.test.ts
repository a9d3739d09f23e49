/** The reception of large bodies. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { receiver } from '../../../src/compute/body/receive.ts'

const MIB = 2 ** 20
const BODY_BYTES = 16 * MIB
/** Node may have read some pieces more when it was told to wait. */
const TURN_BYTES = 256 * 1024

/** Sends a body from a thread of its own, which is never slower than the reader, and leaves the connection open. */
const SENDER = `
  const { connect } = require('node:net')
  const { port, framing, bytes } = require('node:worker_threads').workerData
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write('POST / HTTP/1.1\\r\\nhost: test\\r\\ncontent-type: application/json\\r\\n' + framing)
  socket.write(Buffer.alloc(bytes, 32))`

/** A request whose body is under way, of which `framing` ends the head. */
async function arriving(framing: string, bytes: number) {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sender = new Worker(SENDER, { eval: true, workerData: { port, framing, bytes } })
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  return {
    request,
    async end() {
      request.destroy()
      server.close()
      await sender.terminate()
    },
  }
}

test('the event loop runs other work between the pieces of a large body, which arrives complete', async () => {
  const { end, request } = await arriving(`content-length: ${BODY_BYTES}\r\n\r\n`, BODY_BYTES)
  let thisTurn = 0
  let mostInATurn = 0
  const onBytes = (bytes: Buffer): void => {
    if (thisTurn === 0)
      setImmediate(() => {
        thisTurn = 0
      })
    thisTurn += bytes.length
    mostInATurn = Math.max(mostInATurn, thisTurn)
  }
  const body = await receiver(BODY_BYTES).lease().receive(request, { required: true, onBytes })
  await end()
  assert.equal(body.length, BODY_BYTES)
  assert(mostInATurn <= TURN_BYTES, `${mostInATurn} bytes were read at a stretch`)
})

test('the memory of pieces is freed as they are copied together', async () => {
  const { end, request } = await arriving(`content-length: ${BODY_BYTES}\r\n\r\n`, BODY_BYTES)
  const pieces: Buffer[] = []
  const onBytes = (bytes: Buffer): void => {
    pieces.push(bytes)
  }
  const body = await receiver(BODY_BYTES).lease().receive(request, { required: true, onBytes })
  await end()
  assert(pieces.length > 1)
  assert(pieces.every(({ buffer }) => buffer.byteLength === 0))
  assert(body.every((byte) => byte === 32))
})

test('the memory of a body that is refused half-way is freed while its connection stays open', async () => {
  const limit = 8 * MIB
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // One chunk whose end never comes.
  const { end, request } = await arriving('transfer-encoding: chunked\r\n\r\nffffffff\r\n', limit + MIB)
  const before = process.memoryUsage().arrayBuffers
  await assert.rejects(async () => receiver(limit).lease().receive(request, { required: true }), {
    code: 'body_too_large',
  })
  let kept = Number.POSITIVE_INFINITY
  // A collection lets go of buffers in a thread of its own, a little later.
  for (let look = 0; look < 200 && kept > limit / 2; look++) {
    collect()
    await sleep(50)
    kept = process.memoryUsage().arrayBuffers - before
  }
  await end()
  assert(kept < limit / 2, `${kept} bytes are kept`)
})

test('a small body that arrived with its head is returned at once', async () => {
  const { end, request } = await arriving('content-length: 10\r\n\r\n', 10)
  while (!request.complete) await sleep(1)
  const received = receiver(MIB).lease().receive(request, { required: true })
  await end()
  assert.deepEqual(received, Buffer.alloc(10, 32))
})

test('a body whose client has disconnected is refused without waiting', async () => {
  const { end, request } = await arriving('content-length: 10\r\n\r\n', 10)
  while (!request.complete) await sleep(1)
  await end()
  await assert.rejects(async () => receiver(MIB).lease().receive(request, { required: true }), {
    message: /connection ended/,
  })
})

test('the memory that a large body shares with threads is used again, unless a stopped thread may still use it', async () => {
  const { lease } = receiver(BODY_BYTES)
  const received = async () => {
    const own = lease()
    const { end, request } = await arriving(`content-length: ${MIB}\r\n\r\n`, MIB)
    const body = (await own.receive(request, { required: true, shared: true })) as Buffer
    await end()
    assert(body.length === MIB && body.every((byte) => byte === 32))
    return { ...own, memory: body.buffer }
  }
  const first = await received()
  assert(first.memory instanceof SharedArrayBuffer)
  first.release()
  const second = await received()
  assert.equal(second.memory, first.memory)
  second.abandon()
  second.release()
  const third = await received()
  assert(third.memory instanceof SharedArrayBuffer && third.memory !== first.memory)
  // Blocks are few; without one, a body has memory of its own.
  const others = [await received(), await received(), await received()]
  assert.equal(new Set(others.map(({ memory }) => memory)).size, 3)
  const last = await received()
  assert(last.memory instanceof ArrayBuffer)
  for (const own of [third, ...others, last]) own.release()
})
