/** Large bodies are received a piece at a time. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { receiver } from '../../src/pipeline/receive.ts'

const BODY_BYTES = 16 * 2 ** 20
/** Node may have read some pieces more when it was told to wait. */
const TURN_BYTES = 256 * 1024

/** Sends a body from a thread of its own, which is never slower than the reader. */
const SENDER = `
  const { connect } = require('node:net')
  const { port, bytes } = require('node:worker_threads').workerData
  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\\r\\nhost: test\\r\\ncontent-type: application/json\\r\\ncontent-length: ' + bytes + '\\r\\n\\r\\n')
  socket.end(Buffer.alloc(bytes, 32))`

test('others have their turn between the pieces of a large body, which arrives whole', async () => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sender = new Worker(SENDER, { eval: true, workerData: { port, bytes: BODY_BYTES } })
  const [request] = (await once(server, 'request')) as [IncomingMessage]
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
  request.destroy()
  server.close()
  await sender.terminate()
  assert.equal(body.length, BODY_BYTES)
  assert(mostInATurn <= TURN_BYTES, `${mostInATurn} bytes were read at a stretch`)
})
